/**
 * Mettle's reporter for `node --test`: one JSON event per line, closed by `{"type":"end"}`; read by node-test.ts. Plain
 * JavaScript, because node loads it. It only passes facts on and decides nothing.
 */
import { resolve } from "node:path";

const kept = ["start", "enqueue", "dequeue", "pass", "fail", "diagnostic"];
const most = 16_384;

export default async function* report(source) {
  const stderr = new Map();
  for await (const { type, data } of source) {
    const event = type.slice("test:".length);
    // Newer versions name stderr's file relative to the project.
    const file = typeof data.file === "string" ? resolve(data.file) : null;
    if (event === "stderr") stderr.set(file, ((stderr.get(file) ?? "") + data.message).slice(-most));
    if (!kept.includes(event)) continue;
    yield `${JSON.stringify({
      type: event,
      file,
      name: data.name ?? "",
      nesting: data.nesting ?? 0,
      suite: data.details?.type === "suite",
      skip: isSet(data.skip),
      todo: isSet(data.todo),
      message: cut(data.message),
      error: event === "fail" ? failure(data.details?.error) : null,
      stderr: event === "fail" && isFile(data) ? (stderr.get(file) ?? "") : "",
    })}\n`;
  }
  yield `{"type":"end"}\n`;
}

/** The pseudo test of a whole file has the file's name. */
function isFile(data) {
  return data.nesting === 0 && typeof data.file === "string" && data.file.endsWith(data.name);
}

function failure(error) {
  const cause = error?.cause ?? error;
  const thrown = cause !== null && typeof cause === "object" ? cause : { message: String(cause) };
  return {
    type: String(error?.failureType ?? ""),
    exitCode: typeof error?.exitCode === "number" ? error.exitCode : null,
    signal: typeof error?.signal === "string" ? error.signal : null,
    name: isAssertion(thrown) ? "AssertionError" : cut(thrown.name),
    code: cut(thrown.code),
    message: cut(thrown.message),
    stack: cut(thrown.stack),
  };
}

/** Assertion libraries throw an expected and an actual value, or the result of a matcher. */
function isAssertion(error) {
  return ("actual" in error && "expected" in error) || "matcherResult" in error || error.showDiff === true;
}

function isSet(value) {
  return value !== undefined && value !== false;
}

function cut(value) {
  return value === undefined || value === null ? "" : String(value).slice(0, most);
}
