/** `label: text`; the label alone where there is no text, and the text alone where it says its label already. */
export function labelled(label: string, text: string): string {
  if (text.trim() === "") return label;
  return text === label || text.startsWith(`${label}: `) ? text : `${label}: ${text}`;
}
