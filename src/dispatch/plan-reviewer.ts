/** Starts the agent that reviews the work on an Envoy prompt: outside of any run, in an empty folder, without tools. */
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Agent, AgentOutcome } from "../agents/agent.ts";
import { sandboxMissing } from "../agents/program.ts";
import { loadSettings, type Settings } from "../config/settings.ts";
import { assertNever } from "../lib/assert-never.ts";
import { mask } from "../lib/mask.ts";
import type { Reviewer, ReviewerReply } from "../plans/review/ask-reviewer.ts";
import type { Confinement } from "../process/sandbox/confinement.ts";
import { makeAgents } from "./agents/agents.ts";
import { dispatchVariable } from "../channel/environment.ts";
import { openHost, withForwardedSecrets, type OpenHost } from "../run/host.ts";
import { machineConfinement, stateRootOf } from "../sandbox/machine.ts";
import { probeAgents } from "../sandbox/probe-agents.ts";
import { openAgentNetwork, type AgentNetwork } from "./sandbox/agent-network.ts";
import { sandboxHere } from "../sandbox/setting.ts";

const role = "reviewer";

export async function planReviewer(cwd: string): Promise<Reviewer> {
  const host = await openHost(cwd);
  // A review journals nothing, and an open store would block other processes.
  await host.journal.close();
  const settings = await loadSettings(host.repository.root);
  const agents = { ...settings.agents, roles: { ...settings.agents.roles, [role]: reviewerOf(settings) } };
  const agent = await makeAgents({
    settings: { ...settings, agents },
    cwd: host.repository.root,
    host: host.host,
    home: host.home.root,
  })(role);
  return { name: agent.name, ask: (question) => ask(host, { settings, agent, question }) };
}

/** The agent of the role `reviewer`, else of `gemini`, else the default agent if one is set, else Gemini. */
function reviewerOf({ agents }: Settings): string {
  return agents.roles[role] ?? agents.roles["gemini"] ?? (agents.named ? agents.default : "gemini");
}

interface ReviewerRequest {
  readonly settings: Settings;
  readonly agent: Agent;
  readonly question: { readonly prompt: string; readonly id: string; readonly nth: number };
}

async function ask(host: OpenHost, { settings, agent, question }: ReviewerRequest): Promise<ReviewerReply> {
  const { id, nth, prompt } = question;
  const probe = await agent.probe();
  if (probe.type === "missing") {
    const why = `${probe.why} (${probe.hint}), or name another agent in mettle.yaml: agents.roles.${role}`;
    return { type: "unreachable", why, transient: false };
  }
  const folder = join(host.home.homes, "envoy-reviewer");
  await mkdir(folder, { recursive: true });
  const place = await realpath(await mkdtemp(join(folder, `${id}-`)));
  const [cwd, home] = [join(place, "work"), join(place, "home")];
  let network: AgentNetwork | null = null;
  try {
    await mkdir(cwd);
    await mkdir(join(home, "tmp"), { recursive: true });
    const confined = await confineReviewer(host, { settings, agent, places: [cwd, home] });
    ({ network } = confined);
    const { confinement } = confined;
    const outcome = await agent.start(
      {
        run: "envoy",
        key: `review-${id}-${nth}`,
        role,
        state: "review",
        node: id,
        nth,
        nudge: 0,
        cwd,
        home,
        prompt,
        env: {
          PATH: host.host.path,
          HOME: home,
          TMPDIR: join(home, "tmp"),
          LANG: "C.UTF-8",
          // A process with this variable cannot answer a gate.
          [dispatchVariable]: `envoy:review-${id}`,
        },
        conversation: { type: "new", id: randomUUID() },
        tools: [],
        model: null,
        mcp: null,
        schema: null,
        wallMs: settings.deadlines.wallMs,
        idleMs: settings.deadlines.idleMs,
        ...(confinement !== null && { confinement }),
      },
      () => {},
      new AbortController().signal,
    );
    return replyFrom(outcome, withForwardedSecrets(host.host, settings).secrets);
  } finally {
    await network?.close();
    await rm(place, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function confineReviewer(
  { host, home, repository }: OpenHost,
  {
    settings,
    agent,
    places,
  }: { readonly settings: Settings; readonly agent: Agent; readonly places: readonly string[] },
): Promise<{ readonly confinement: Confinement | null; readonly network: AgentNetwork | null }> {
  const setting = sandboxHere(settings.sandbox, host.env);
  if (setting === "off" || (agent.ownSandbox?.([]) ?? null) !== null)
    return { confinement: null, network: null };
  const probed = await probeAgents({ host, stateRoot: stateRootOf(home.root), repository }, settings);
  const base = probed.type === "absent" ? null : await machineConfinement(probed.machine);
  if (base === null) {
    if (setting !== "required") return { confinement: null, network: null };
    throw sandboxMissing(probed.type === "absent" ? probed.why : "it is not installed");
  }
  const rules = [...base.rules, ...places.map((at) => ({ type: "writable" as const, at }))];
  const confinement = { ...base, rules };
  if (base.network === undefined) return { confinement, network: null };
  const network = await openAgentNetwork(confinement, { agent, settings, host });
  return { confinement: network.confinement, network };
}

function replyFrom(outcome: AgentOutcome, secrets: readonly string[]): ReviewerReply {
  switch (outcome.type) {
    case "ok":
      return { type: "replied", text: mask(outcome.text, secrets) };
    case "rate_limited":
    case "api_error":
      return { type: "unreachable", why: whyOf(outcome, secrets), transient: true };
    case "max_turns":
    case "budget":
    case "auth":
    case "schema_failed":
    case "timeout":
    case "aborted":
    case "crashed":
    case "missing":
    case "mismatch":
      return { type: "unreachable", why: whyOf(outcome, secrets), transient: false };
    default:
      return assertNever(outcome);
  }
}

function whyOf({ type, why }: AgentOutcome & { readonly why: string }, secrets: readonly string[]): string {
  return mask(`${type}: ${why}`, secrets);
}
