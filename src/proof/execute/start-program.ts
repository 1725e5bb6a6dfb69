/**
 * Starts every program of a proof: runners, lists, builds and commands that prepare a checkout. Where bubblewrap works and the
 * settings do not forbid it, the program is confined: it reads the machine, its checkout and the dependencies, writes to its
 * checkout and its own folders, has no network but its own loopback, and ends with all its children (PRV-20).
 */
import { constants } from "node:os";
import { runWithOutput } from "./execute-command.ts";
import { bubblewrapError } from "../../process/sandbox/failure.ts";
import { confinedCall, type Confinement, type Rule } from "../../process/sandbox/confinement.ts";
import { programOn, rulesToShow } from "../../process/sandbox/places.ts";
import type { RunResult } from "../../process/run.ts";
import { isolationOf } from "../../sandbox/isolation.ts";
import { machineConfinement, probeConfinement, type SandboxMachine } from "../../sandbox/machine.ts";
import { requireWhole, sandboxRequired } from "../../sandbox/setting.ts";
import { passwordFile } from "./password-file.ts";
import type { Executor, ProgramRun, ProgramStart, ProofPorts } from "../ports.ts";

export interface IsolatedRun extends ProgramRun {
  /** The sandbox, with what its probe found; `none` without one. */
  readonly isolation: string;
}

/** @throws sandbox_missing if the settings require a sandbox and there is none */
export async function startProgram(ports: ProofPorts, start: ProgramStart): Promise<IsolatedRun> {
  const execute = ports.execute ?? executeProgram;
  const sandbox = await sandboxOf(ports);
  if (sandbox === null) return { ...(await execute(start)), isolation: "none" };
  const { output, ran } = await execute(await confinedStart(sandbox.confinement, start));
  return { output, ran: throughBubblewrap(ran), isolation: isolation(sandbox, start) };
}

export const executeProgram: Executor = ({ file, argv, options }) => runWithOutput(file, argv, options);

/** Whether programs of this proof run in a sandbox. @throws sandbox_missing */
export async function isConfined(ports: ProofPorts): Promise<boolean> {
  return (await sandboxOf(ports)) !== null;
}

interface Sandbox {
  readonly confinement: Confinement;
  readonly probed: Parameters<typeof isolationOf>[0];
}

/** Null where no sandbox is wanted, or none is possible and none is required. */
async function sandboxOf({ sandbox, repository, node, env = {} }: ProofPorts): Promise<Sandbox | null> {
  if (sandbox === undefined) return null;
  const host = { path: repository.path, env, node };
  const { stateRoot, folders } = sandbox;
  const machine: SandboxMachine = { host, stateRoot, folders, repository, of: "tests" };
  const confinement = await machineConfinement(machine);
  const probed = await probeConfinement(machine, confinement);
  if (sandbox.least === "whole") requireWhole(probed);
  if (confinement === null || probed.type === "absent") {
    if (sandbox.least === "none") return null;
    throw sandboxRequired(probed.type === "absent" ? probed.why : "bubblewrap is not installed");
  }
  return { confinement, probed };
}

function isolation({ probed }: Sandbox, { hasNetwork = false }: ProgramStart): string {
  if (!hasNetwork) return isolationOf(probed);
  const { network: _network, ...held } = probed.held;
  return isolationOf({ ...probed, held });
}

/** The start of bubblewrap that starts the program. */
async function confinedStart(machine: Confinement, start: ProgramStart): Promise<ProgramStart> {
  const { file, argv, options, checkout, place, cache, reads = [], hasNetwork = false } = start;
  const { hidden, network: _network, ...others } = machine;
  const { own, passed } = splitVariables(options.env);
  const shown = await Promise.all([
    programOn(file, { path: options.env["PATH"] ?? "", hidden }),
    ...reads.map((path) => rulesToShow(path, "readable", hidden)),
  ]);
  const written = [checkout, place, ...(cache === undefined ? [] : [cache])];
  const rules: Rule[] = [
    ...machine.rules,
    ...shown.flat(),
    ...(await passwordFile(place)),
    ...written.map((at) => ({ type: "writable" as const, at })),
  ];
  const confinement = { ...others, hidden, rules, variables: own, ...(hasNetwork ? {} : loopback) };
  const call = confinedCall(confinement, { file, argv }, options.cwd);
  return { ...start, ...call, options: { ...options, env: passed } };
}

const loopback = { network: "loopback" } as const;

/** Variables of the dynamic loader apply to the program, not to bubblewrap, which starts outside of the sandbox. */
function splitVariables(env: Readonly<Record<string, string>>) {
  const isOfLoader = ([name]: readonly [string, string]) => /^(?:LD_|GLIBC_|GCONV_|MALLOC_)/u.test(name);
  const all = Object.entries(env);
  return {
    own: Object.fromEntries(all.filter(isOfLoader)),
    passed: Object.fromEntries(all.filter((entry) => !isOfLoader(entry))),
  };
}

/** The code of a program that cannot be started, as without a sandbox; else the text of bubblewrap. */
function startError(failure: string): string {
  if (!failure.startsWith("bwrap: execvp ")) return failure;
  return failure.endsWith(": No such file or directory") ? "ENOENT" : "EACCES";
}

/** Bubblewrap reports a signal of the program as exit code 128 plus its number, and its own failures as 1. */
function throughBubblewrap(ran: RunResult): RunResult {
  const failure = bubblewrapError(ran);
  if (failure !== null) return { ...ran, exitCode: null, failedToStart: startError(failure) };
  const number = (ran.exitCode ?? 0) - 128;
  const signal = Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
  return signal === undefined ? ran : { ...ran, exitCode: null, signal };
}
