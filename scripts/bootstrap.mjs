#!/usr/bin/env node
// The entry of every npm script, with Node built-ins only, since it also runs before anything is installed.
// Contains the command table; checks the machine, installs and builds what is stale, then runs the command.

const usage = `usage: node scripts/bootstrap.mjs COMMAND [arguments]

  demo         play the bundled run from RED to a verified result (--cheat: with a cheating agent)
  test         run the test suite; arguments go to vitest
  test:ci      the suite with what only CI repeats
  test:chaos   200 runs on four workers that are killed all the time (METTLE_CHAOS=RUNS,MINUTES for less)
  test:deep    the suite with its long versions
  test:agents  the real coding agents against scripted models; installs them in the user's cache
  test:node    the suite on other versions of Node (default: 22 and 24)
  check        format, lint, types, dead code, package, tests
  promises     list the promises that tests prove (--json, --from REPORT)
  bench        measure, and rewrite the figures in docs/benchmarks.md
  build        build dist/
`;

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (process.platform === "win32") {
  stop("platform_unsupported", "native Windows is not supported", "use WSL 2");
} else if (major < 20 || (major === 20 && minor < 19)) {
  stop(
    "node_too_old",
    `this is Node ${process.versions.node}, Mettle needs 20.19 or newer`,
    "install a newer Node (https://nodejs.org) and call the command again",
  );
} else {
  await main(process.argv.slice(2));
}

async function main([command, ...args]) {
  const { script, dispatch } = await import("./setup/dispatch.mjs");
  const commands = {
    demo: () => dispatch(["dist/bin/mettle.js", "demo", ...args]),
    test: () => dispatch([script("test.mjs"), ...args]),
    "test:ci": () => dispatch([script("test.mjs"), ...args], { METTLE_CI: "1" }),
    "test:chaos": () =>
      dispatch([script("test.mjs"), "test/shared-store/chaos.test.ts", ...args], {
        METTLE_CHAOS: process.env.METTLE_CHAOS ?? "200,10",
      }),
    "test:deep": () => dispatch([script("test.mjs"), ...args], { METTLE_DEEP: "1" }),
    "test:agents": () => dispatch([script("test-agents.mjs"), ...args]),
    "test:node": () => dispatch([script("test-node.mjs"), ...args]),
    check: () => dispatch([script("check.mjs"), ...args]),
    promises: () => dispatch([script("promises.mjs"), ...args]),
    bench: () => dispatch([script("bench.mjs"), ...args]),
    build: () => 0,
  };
  if (command === "--help" || command === "-h") {
    process.stdout.write(usage);
    return;
  }
  if (
    command === undefined ||
    !Object.hasOwn(commands, command) ||
    (command === "build" && args.length > 0)
  ) {
    const what =
      command === "build" ? `build takes no arguments: ${args.join(" ")}` : `unknown command ${command}`;
    process.stderr.write(command === undefined ? usage : `${what}\n\n${usage}`);
    process.exitCode = 2;
    return;
  }
  const { prepare } = await import("./setup/prepare.mjs");
  process.exitCode = (await prepare()) || (await commands[command]());
}

function stop(code, message, hint) {
  process.stderr.write(`error[${code}]: ${message}\nhint: ${hint}\n`);
  process.exitCode = 5;
}
