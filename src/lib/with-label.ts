/** `label: text`; only the label if the text is empty, only the text if it starts with the label. */
export function withLabel(label: string, text: string): string {
  if (text.trim() === "") return label;
  return text === label || text.startsWith(`${label}: `) ? text : `${label}: ${text}`;
}
