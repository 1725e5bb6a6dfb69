/** The `mettle` program: finds the command, loads only its code, prints its result and exits with its code. */
import { writeSync } from "node:fs";

declare const METTLE_VERSION: string | undefined;

const argv = process.argv.slice(2);

if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) {
  // Without version.ts and process.stdout: loading them would take a fifth of the start time.
  writeSync(1, `${typeof METTLE_VERSION === "string" ? METTLE_VERSION : "0.0.0-source"}\n`);
} else {
  // Loads the command and the code that runs it at the same time. An error of loading appears again when `main` loads it.
  void Promise.all([import("./table.ts"), import("../lib/command-line/read-line.ts")]).then(
    ([{ program }, { matchCommand }]) =>
      matchCommand(program, argv)
        .row?.load()
        .catch(() => undefined),
  );
  const { main } = await import("./run-command.ts");
  process.exitCode = await main(argv);
}
