/** How mocha before 7.1 is started: by a program of Mettle that uses its library (mocha-old.mjs). */
import { join } from "node:path";
import { longestTest, type ListRequest, type RunnerRequest } from "../runner.ts";
import { asset } from "./assets.ts";

export const oldMochaProgram = asset("mocha-old.mjs");

interface OldMochaOptions {
  readonly report?: string;
  /** Only the test files are requested, as a list at this path. */
  readonly list?: string;
  /** At most this long runs a test, in milliseconds. */
  readonly longest: number;
  /** Arguments of the project. */
  readonly args: readonly string[];
}

export function oldArgv(request: RunnerRequest): readonly string[] {
  const files = request.shuffle ? [...request.files].reverse() : request.files;
  const { report, args = [] } = request;
  const longest = longestTest(request);
  const options: OldMochaOptions = { report, longest, args: withConfig(args, request.config) };
  return [...start(request, options), ...files.map((file) => join(request.project, file))];
}

export function oldListArgv(request: ListRequest): readonly string[] {
  return start(request, { list: request.report, longest: 0, args: withConfig(request.args, request.config) });
}

function start(
  { entry, project }: Pick<RunnerRequest, "entry" | "project">,
  options: OldMochaOptions,
): readonly string[] {
  const own = entry ?? join(project, "node_modules", "mocha", "bin", "mocha");
  return [oldMochaProgram, own, JSON.stringify(options)];
}

function withConfig(args: readonly string[], config: string | undefined): readonly string[] {
  return config === undefined ? args : [...args, `--config=${config}`];
}
