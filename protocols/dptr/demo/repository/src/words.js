/** The words of a text, without punctuation. */
export function words(text) {
  return text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
}
