/** The `mettle` program: finds the command, loads it alone, prints its result, ends with its exit code. */
const [first] = process.argv.slice(2);

if (first === "--version" || first === "-V") {
  const { version } = await import("./version.ts");
  process.stdout.write(`${version()}\n`);
} else {
  const { main } = await import("./run-command.ts");
  process.exitCode = await main(process.argv.slice(2));
}
