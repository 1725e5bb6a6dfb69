#!/usr/bin/env node
/**
 * The command that agents call while they follow a steps protocol. This version has no steps protocol yet,
 * so every call but `--version` is answered with one honest error object and exit 2.
 */
import { readFileSync } from "node:fs";

const argv = process.argv.slice(2);

if (argv.length === 1 && argv[0] === "--version") {
  process.stdout.write(`${packageVersion()}\n`);
} else {
  const error = {
    code: "usage",
    message: "the steps protocols that envoy serves are not in this version",
    hint: "use `mettle run`, which has the protocol orchestrate; `envoy --version` works",
  };
  process.stdout.write(`${JSON.stringify({ version: 1, error })}\n`);
  process.exitCode = 2;
}

function packageVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  const found = /"version": "([^"]+)"/.exec(text)?.[1];
  if (found === undefined) throw new Error("package.json of mettle names no version");
  return found;
}
