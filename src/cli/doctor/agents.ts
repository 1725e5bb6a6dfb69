/** Checks each agent that plays a role: its program, its version and its login. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Probe } from "../../agents/agent.ts";
import type { Settings } from "../../config/settings.ts";
import { secretValues } from "../../config/env.ts";
import { AppError } from "../../lib/errors.ts";
import { makeAgents } from "../../dispatch/agents/agents.ts";
import { claudeLogin } from "../../dispatch/agents/claude.ts";
import { codexLogin } from "../../dispatch/agents/codex.ts";
import { opencodeLogin } from "../../dispatch/agents/opencode.ts";
import { fail, ok, type DoctorCheck, type DoctorFinding, type DoctorContext } from "./check.ts";

export const agents: DoctorCheck = {
  name: "agents",
  needed: true,
  async examine(context) {
    // An agent may write to its home when it prints its version, so it gets a temporary one.
    const home = await mkdtemp(join(tmpdir(), "mettle-doctor-"));
    try {
      const roles = rolesOf(context.settings);
      return await Promise.all([...roles].map((role) => examineAgent(context, home, role)));
    } finally {
      await rm(home, { recursive: true, force: true, maxRetries: 3 });
    }
  },
};

/** Agent -> what it plays, in the order of the settings. */
function rolesOf({ agents: { default: all, roles } }: Settings): ReadonlyMap<string, string> {
  const plays = new Map([[all, "every role that is not named"]]);
  if (Object.keys(roles).length === 0) plays.set(all, "every role");
  for (const [role, name] of Object.entries(roles)) {
    const before = plays.get(name);
    plays.set(name, before === undefined ? role : `${before}, ${role}`);
  }
  return plays;
}

type AgentRole = readonly [name: string, plays: string];

async function examineAgent(
  context: DoctorContext,
  home: string,
  [name, plays]: AgentRole,
): Promise<Omit<DoctorFinding, "name">> {
  try {
    const probe = await probeAgent(context, name, home);
    if (probe.type === "missing") return fail(`${name}: ${probe.why}; it plays ${plays}`, probe.hint);
    return ok(`${name} ${await readiness(context, name, probe.version)}; it plays ${plays}`);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const message = error.message.replace(` (for the role ${probeRole})`, "");
    return fail(`${name}: ${message}; it plays ${plays}`, error.hint);
  }
}

/** A role that no protocol has. */
const probeRole = "doctor";

async function probeAgent(context: DoctorContext, name: string, home: string): Promise<Probe> {
  const { settings, env, path, repository, cwd } = context;
  const agentFor = makeAgents({
    settings: { ...settings, agents: { ...settings.agents, default: name, roles: {} } },
    cwd: repository?.root ?? cwd,
    host: { path, env, secrets: secretValues(env), node: process.execPath },
    home,
  });
  return (await agentFor(probeRole)).probe();
}

async function readiness(context: DoctorContext, name: string, version: string): Promise<string> {
  const kind = name.split(":")[0] ?? "";
  if (kind === "scripted") return "can be read";
  const login = await loginOf(kind, context);
  if (login === null) return "is configured; its version and login are not checked";
  return `${version}, ${login}`;
}

/** The login that a known agent would use; null for a program of the user. */
async function loginOf(kind: string, { env, settings }: DoctorContext): Promise<string | null> {
  switch (kind) {
    case "claude": {
      const login = await claudeLogin(env, settings.agents.env);
      if (login?.type === "variable") return by(login.name);
      return login?.type === "file" ? by(login.file) : "its login is in the keychain (not checked)";
    }
    case "codex": {
      const login = await codexLogin(env);
      return by(login?.type === "key" ? login.variable : (login?.file ?? "nothing"));
    }
    case "opencode": {
      const login = await opencodeLogin(env);
      if (login === null) return "by a provider of its configuration (not tried)";
      return by(login.type === "variable" ? login.name : login.file);
    }
    default:
      return null;
  }
}

function by(login: string): string {
  return `logged in by ${login} (not tried)`;
}
