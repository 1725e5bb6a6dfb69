import { expect, test } from "vitest";
import { Settings, SettingsFile } from "../../config/settings-schema.ts";
import { packageRoot } from "../../config/package-root.ts";
import { loadProtocol } from "../../protocol/load.ts";
import { readLibrary } from "../../engine/start/library.ts";
import { reviewerLabels } from "./label.ts";

// Names only; whole runs are in test/orchestrate/first-reviewer.test.ts.
test.each([
  [{}, ["Claude 1", "Claude 2"]],
  [{ default: "scripted:one.yaml" }, ["Gemini", "Claude"]],
  [{ default: "mine", roles: { claude: "claude" } }, ["Mine", "Claude"]],
  [{ roles: { gemini: "scripted:one.yaml" } }, ["Gemini", "Claude"]],
  [{ roles: { gemini: "codex" } }, ["Codex", "Claude"]],
  [{ roles: { gemini: "claude" } }, ["Claude 1", "Claude 2"]],
  [{ roles: { gemini: "gemini:gemini-3-pro-preview" } }, ["Gemini", "Claude"]],
  [{ roles: { gemini: "mcp:gemini" } }, ["Gemini", "Claude"]],
  [{ roles: { gemini: "codex", claude: "opencode" } }, ["Codex", "Opencode"]],
])("with the agents %j the reviewers are called %j", async (agents, labels) => {
  const { protocols } = await readLibrary({ shipped: packageRoot("protocols"), root: null });
  const protocol = loadProtocol("orchestrate", protocols);
  const settings = Settings.parse(SettingsFile.parse({ version: 1, agents }));
  expect(reviewerLabels({ protocol, settings })).toEqual(labels);
});
