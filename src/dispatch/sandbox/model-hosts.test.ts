import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newFolder } from "../../../test/support/folder.ts";
import { parseSettings } from "../../config/settings.ts";
import { textOf } from "../../process/network/allow-list.ts";
import { hostsOf } from "./model-hosts.ts";

async function hosts(name: string, env: Readonly<Record<string, string>> = {}, agents = "") {
  const settings = parseSettings(`version: 1\nagents: { ${agents} }\n`);
  const found = await hostsOf({ agent: { name }, settings, env: { HOME: "/nonexistent", ...env } });
  return found.map((one) => `${textOf(one)}${one.isNamed ? " named" : ""}`);
}

test("each agent reaches the hosts of its own maker, and one with another address only that", async () => {
  expect(await hosts("claude")).toContain("api.anthropic.com:443");
  expect(
    await hosts("claude", { ANTHROPIC_BASE_URL: "http://127.0.0.1:4000/v1", ANTHROPIC_API_KEY: "dummy" }),
  ).toEqual(["127.0.0.1:4000 named"]);
  expect(await hosts("claude", { CLAUDE_CODE_USE_BEDROCK: "1", AWS_REGION: "eu-west-1" })).toEqual([
    "bedrock-runtime.eu-west-1.amazonaws.com:443",
    "bedrock.eu-west-1.amazonaws.com:443",
    "sts.eu-west-1.amazonaws.com:443",
  ]);
  expect(await hosts("codex")).toContain("api.openai.com:443");
  expect(await hosts("codex", { OPENAI_BASE_URL: "https://llm.test", OPENAI_API_KEY: "dummy" })).toEqual([
    "llm.test:443 named",
  ]);
  expect(await hosts("gemini", { GOOGLE_CLOUD_LOCATION: "europe-west1" })).toEqual(
    expect.arrayContaining([
      "generativelanguage.googleapis.com:443",
      "europe-west1-aiplatform.googleapis.com:443",
    ]),
  );
  expect(await hosts("opencode", { GROQ_API_KEY: "dummy" })).toEqual(["api.groq.com:443"]);
  expect(await hosts("scripted")).toEqual([]);
});

test("a login that must be renewed keeps its maker's hosts beside another address", async () => {
  expect(await hosts("claude", { ANTHROPIC_BASE_URL: "http://127.0.0.1:4000" })).toContain(
    "console.anthropic.com:443",
  );
  expect(await hosts("codex", { OPENAI_BASE_URL: "https://llm.test" })).toContain("chatgpt.com:443");
});

test("settings, variables of agents.env and the program of a command name hosts too, proxies do not", async () => {
  const env = {
    MY_URL: "https://mine.test:8443/v1",
    HTTPS_PROXY: "http://proxy.test:3128",
    OTHER_URL: "https://other.test",
  };
  const agents =
    "network: [pypi.org], env: [MY_URL, HTTPS_PROXY], commands: { mine: { run: [/opt/mine] }, zed: { acp: [gemini, --acp] } }";
  expect(await hosts("mine", env, agents)).toEqual(["pypi.org:443 named", "mine.test:8443 named"]);
  expect(await hosts("zed", env, agents)).toContain("generativelanguage.googleapis.com:443");
});

test("OpenCode's own providers name their hosts", async () => {
  const home = newFolder();
  await mkdir(join(home, ".config/opencode"), { recursive: true });
  const provider = { local: { options: { baseURL: "http://localhost:1234/v1" } } };
  await writeFile(join(home, ".config/opencode/opencode.json"), JSON.stringify({ provider }));
  expect(await hosts("opencode", { HOME: home })).toEqual(["localhost:1234 named"]);
  await mkdir(join(home, ".local/share/opencode"), { recursive: true });
  await writeFile(join(home, ".local/share/opencode/auth.json"), JSON.stringify({ mistral: {}, mine: {} }));
  expect(await hosts("opencode", { HOME: home })).toEqual(["localhost:1234 named", "api.mistral.ai:443"]);
});
