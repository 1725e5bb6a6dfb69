#!/usr/bin/env node
/**
 * The command that agents call while they follow a steps protocol. This version has no steps protocol yet,
 * so every call but `--version` is answered with one honest error object and exit 2.
 */
declare const METTLE_VERSION: string | undefined;

const argv = process.argv.slice(2);

if (argv.length === 1 && argv[0] === "--version") {
  process.stdout.write(`${typeof METTLE_VERSION === "string" ? METTLE_VERSION : "0.0.0-source"}\n`);
} else {
  const error = {
    code: "usage",
    message: "the steps protocols that envoy serves are not in this version",
    hint: "use `mettle run`, which has the protocol orchestrate; `envoy --version` works",
  };
  process.stdout.write(`${JSON.stringify({ version: 1, error })}\n`);
  process.exitCode = 2;
}
