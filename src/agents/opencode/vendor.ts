/** The vendor of a model, read from its name: `anthropic/…` as well as `openrouter/anthropic/…`. */
const vendors: readonly (readonly [RegExp, string])[] = [
  [/anthropic|claude/u, "anthropic"],
  [/openai|gpt-|\/o\d/u, "openai"],
  [/google|gemini/u, "google"],
];

/** @param model `provider/model`; null: OpenCode chooses the model */
export function vendorOf(model: string | null): string {
  if (model === null) return "opencode";
  return vendors.find(([pattern]) => pattern.test(model))?.[1] ?? model.split("/")[0] ?? model;
}
