/** Output as lines that are safe to show: without terminal control. Pure. */

// CSI, OSC (to BEL or ST), other string sequences, and two-character escapes.
const sequences =
  // eslint-disable-next-line no-control-regex
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[PX^_][^\u001b]*(?:\u001b\\)?|\u001b[ -/]*[0-~]|\u009b[0-?]*[ -/]*[@-~]/g;
// What is left of C0 and C1, but for the tab, and the marks that turn the direction of text.
// eslint-disable-next-line no-control-regex
const controls = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** One line as a terminal would leave it: a carriage return starts it anew. */
export function cleanLine(line: string): string {
  const visible = line.replace(sequences, "").replace(/\r+$/, "");
  return visible.slice(visible.lastIndexOf("\r") + 1).replace(controls, "");
}

/** The last lines of an output, cleaned; an end without text is no line. */
export function lastLines(output: string, count: number): readonly string[] {
  const lines = output.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.slice(-count).map(cleanLine);
}
