/** The commands of Envoy as tools (ENV-87): all of them here, the read-only ones within a dispatch. */
import type { ChannelAddress } from "../channel/channel.ts";
import { callChannel, maxCommandMs } from "../channel/client.ts";
import { loadEnvoy, type ToolAnswer } from "../plans/envoy-program.ts";
import { refusalText } from "./report-tool.ts";
import { failed, type ToolSet } from "./tool-set.ts";

/** @param cwd working folder of the commands */
export async function envoyTools(cwd: string): Promise<ToolSet> {
  const { tools, callTool } = await loadEnvoy();
  const described = tools("all").map((tool) => ({ ...tool }));
  return {
    tools: () => described,
    call: async (name, args) => resultOf(await callTool(name, args, { cwd, texts: "files", which: "all" })),
  };
}

/** @param cwd folder of the files that arguments name */
export async function envoyToolsBehind(channel: ChannelAddress, cwd: string): Promise<ToolSet> {
  const { tools, readTexts } = await loadEnvoy();
  const described = tools("reading").map((tool) => ({ ...tool }));
  return {
    tools: () => described,
    async call(name, given) {
      const read = await readTexts(name, given, cwd);
      if ("exit" in read) return resultOf(read);
      const answer = await callChannel(channel, { call: "envoy", tool: name, args: read.args }, maxCommandMs);
      return answer.ok ? resultOf(answer.result as ToolAnswer) : failed(refusalText(answer.error));
    },
  };
}

function resultOf({ exit, text }: ToolAnswer) {
  const content = [{ type: "text" as const, text }];
  return exit === 0 ? { content } : { content, isError: true };
}
