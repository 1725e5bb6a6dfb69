// Replaces the Gemini CLI where the real one would be too slow: prints a given answer in its stream format.
// `node gemini-stub.mjs VERSION ANSWER.txt CALLS.jsonl …the arguments of gemini`
import { appendFileSync, readFileSync } from "node:fs";
import { text } from "node:stream/consumers";

const [version, answerFile, callsFile, ...argv] = process.argv.slice(2);
if (argv.includes("--version")) {
  process.stdout.write(`${version}\n`);
  process.exit(0);
}

const input = await text(process.stdin);
appendFileSync(callsFile, `${JSON.stringify({ argv, input, env: process.env })}\n`);
tell({ type: "init", session_id: argv[argv.indexOf("--session-id") + 1], model: "scripted" });
tell({ type: "message", role: "user", content: input });
tell({ type: "message", role: "assistant", content: readFileSync(answerFile, "utf8"), delta: true });
tell({ type: "result", status: "success", stats: { input_tokens: 100, output_tokens: 20 } });

function tell(line) {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
