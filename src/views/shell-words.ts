/** An argv as a POSIX shell command, quoted where needed. Pure. */
export function shellWords(argv: readonly string[]): string {
  return argv.map(word).join(" ");
}

function word(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  // eslint-disable-next-line no-control-regex
  if (!/[\u0000-\u001f\u007f]/.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`;
  // eslint-disable-next-line no-control-regex
  const escaped = text.replace(/[\\']/g, "\\$&").replace(/[\u0000-\u001f\u007f]/g, escape);
  return `$'${escaped}'`;
}

function escape(control: string): string {
  if (control === "\n") return "\\n";
  if (control === "\t") return "\\t";
  return `\\x${control.charCodeAt(0).toString(16).padStart(2, "0")}`;
}
