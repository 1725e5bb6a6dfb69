/** The `mettle` program: finds the command, loads it alone, prints its result, ends with its exit code. */
import { writeSync } from "node:fs";

declare const METTLE_VERSION: string | undefined;

const argv = process.argv.slice(2);

if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) {
  // Neither version.ts nor process.stdout: a module more and its streams are a fifth of the whole start.
  writeSync(1, `${typeof METTLE_VERSION === "string" ? METTLE_VERSION : "0.0.0-source"}\n`);
} else {
  // The command is read while what runs it is; whoever waits for it next hears why it could not be.
  void Promise.all([import("./table.ts"), import("../lib/command-line/line.ts")]).then(
    ([{ program }, { locate }]) =>
      locate(program, argv)
        .row?.load()
        .catch(() => undefined),
  );
  const { main } = await import("./run-command.ts");
  process.exitCode = await main(argv);
}
