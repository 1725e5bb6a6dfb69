/** The `mettle` program: finds the command, loads it alone, prints its result, ends with its exit code. */
const argv = process.argv.slice(2);

if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) {
  const { version } = await import("./version.ts");
  process.stdout.write(`${version()}\n`);
} else {
  const { main } = await import("./run-command.ts");
  process.exitCode = await main(argv);
}
