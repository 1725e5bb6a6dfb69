/** Gemini's `generateContent` API, whole and streamed, as the Gemini CLI uses it. */
import { sendJson, type Wire } from "./wire.ts";

export const geminiWire: Wire = {
  asks: (path) => /:(stream)?generateContent(\?|$)/iu.test(path),
  read(path, body) {
    const { tools = [] } = JSON.parse(body) as {
      tools?: { functionDeclarations?: { name: string }[] }[];
    };
    return {
      model: /models\/([^:/]+):/u.exec(path)?.[1] ?? "",
      tools: tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name)),
    };
  },
  say(response, { text, tools = [] }, { path, nth }) {
    const calls = tools.map(({ name, input }) => ({ functionCall: { name, args: input } }));
    const answer = {
      candidates: [
        {
          index: 0,
          content: { role: "model", parts: [...(text === undefined ? [] : [{ text }]), ...calls] },
          finishReason: "STOP",
        },
      ],
      usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120 },
      modelVersion: "scripted",
      responseId: `scripted-${nth}`,
    };
    if (!path.includes(":stream")) return sendJson(response, 200, answer);
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(`data: ${JSON.stringify(answer)}\n\n`);
  },
  failure: (status) => ({ error: { code: status, message: "scripted", status: "SCRIPTED" } }),
};
