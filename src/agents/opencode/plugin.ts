/**
 * The one plugin of a turn. It tells what the stream of `--format json` leaves out: that OpenCode waits to ask its model again, and until when.
 *
 * Where a file is read, OpenCode adds the AGENTS.md and CONTEXT.md of the folders above it to what the tool answers, whatever its settings say
 * (measured on 1.18.33). No memory of the project is for a role (ORC-59), so the plugin takes them out again.
 */
export const pluginName = "mettle-plugin.js";

/** Lines of a file are numbered in the answer, so the first line that is the closing tag is the end of the file. */
export const pluginText = `export const Mettle = async () => ({
  "tool.execute.after": async ({ tool }, answer) => {
    const end = "\\n</content>";
    const at = tool === "read" && typeof answer.output === "string" ? answer.output.indexOf(end) : -1;
    if (at >= 0) answer.output = answer.output.slice(0, at + end.length);
  },
  event: async ({ event }) => {
    const { sessionID, status } = event.properties ?? {};
    if (event.type !== "session.status" || status?.type !== "retry") return;
    const line = { type: "mettle_retry", sessionID, message: status.message, next: status.next };
    process.stdout.write(JSON.stringify(line) + "\\n");
  },
});
`;
