/** Arguments of a project's test command that its tests need and that select neither tests nor reports. */

interface KeptOptions {
  /** Options whose value may be the next word. */
  readonly valued: readonly string[];
  readonly flags: readonly string[];
}

const kept: Readonly<Record<string, KeptOptions>> = {
  mocha: {
    valued: ["--require", "-r", "--ui", "-u", "--file", "--extension", "--ext", "--globals", "--global"],
    flags: ["--exit", "--delay", "--check-leaks", "--async-only", "-A"],
  },
  jest: {
    valued: [
      "--env",
      "--testEnvironment",
      "--setupFiles",
      "--setupFilesAfterEnv",
      "--globals",
      "--projects",
      "--selectProjects",
      "--maxWorkers",
      "-w",
    ],
    flags: ["--runInBand", "-i", "--forceExit"],
  },
  vitest: {
    valued: ["--project", "--environment", "--env", "--pool", "--mode", "-m", "--dir"],
    flags: ["--globals", "--no-file-parallelism", "--no-isolate", "--dom"],
  },
  pytest: {
    valued: [
      "-p",
      "-o",
      "--override-ini",
      "-m",
      "-k",
      "--import-mode",
      "--doctest-glob",
      "--ignore",
      "--ignore-glob",
      "--deselect",
    ],
    flags: ["--doctest-modules", "--runslow", "--strict-markers"],
  },
  go: {
    valued: ["-tags", "-mod", "-modfile", "-ldflags", "-gcflags", "-run", "-skip"],
    flags: ["-short", "-race"],
  },
  cargo: {
    valued: ["--features", "-F", "--profile"],
    flags: ["--all-features", "--no-default-features", "--release", "-r"],
  },
  "node:test": {
    valued: ["--test-isolation", "--experimental-test-isolation", "--test-concurrency"],
    flags: ["--experimental-test-module-mocks", "--test-force-exit"],
  },
};

export function keptArguments(runner: string, words: readonly string[]): readonly string[] {
  const options = kept[runner];
  if (options === undefined) return [];
  const found: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    const [name = ""] = word.split("=");
    const isSub = /^--(poolOptions|test\.|environmentOptions)/.test(name);
    if (options.flags.includes(name) || (isSub && runner === "vitest")) found.push(word);
    if (!options.valued.includes(name)) continue;
    const value = word.includes("=") ? null : words[at + 1];
    if (value === undefined || value?.startsWith("-") === true) continue;
    found.push(word, ...(value === null ? [] : [value]));
    if (value !== null) at += 1;
  }
  return found;
}
