/** Picks the first reviewer if the settings name none: an available agent of another vendor than the second's (ORC-63). */
import type { Settings } from "../../config/settings.ts";
import type { Protocol } from "../../protocol/machine.ts";
import type { AgentPlaces } from "./agent-places.ts";
import { makeAgents } from "./agents.ts";
import { reviewerRoles } from "../../run/reviews.ts";
import { isGeminiPresent } from "./gemini.ts";

/** Called once, when a run starts. @returns the settings with the first reviewer, unchanged if there is no choice */
export async function withFirstReviewer(places: AgentPlaces, protocol: Protocol): Promise<Settings> {
  const { settings } = places;
  const { roles, named } = settings.agents;
  const [first, second] = reviewerRoles(protocol.roles);
  if (named || first === undefined || second === undefined || roles[first] !== undefined) return settings;
  const other = await otherVendor(places, second);
  if (other === null) return settings;
  return { ...settings, agents: { ...settings.agents, roles: { ...roles, [first]: other } } };
}

/** Gemini if it is present, else the first entry of `agents.commands` with another vendor. */
async function otherVendor(places: AgentPlaces, second: string): Promise<string | null> {
  const { settings } = places;
  const agentFor = makeAgents(places);
  const { vendor } = await agentFor(second);
  if (vendor !== "google" && (await isGeminiPresent(places))) return "gemini";
  for (const [name, command] of Object.entries(settings.agents.commands)) {
    if (command.vendor === undefined || command.vendor === vendor) continue;
    const agent = await makeAgents({
      ...places,
      settings: { ...settings, agents: { ...settings.agents, default: name, roles: {} } },
    })(second);
    if ((await agent.probe()).type === "ready") return name;
  }
  return null;
}
