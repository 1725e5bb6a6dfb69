import { parse } from "yaml";
import * as z from "zod";
import { AppError } from "../lib/errors.ts";
import { frontMatterOf } from "../lib/front-matter.ts";
import { issuesText } from "../lib/plain-issues.ts";

/**
 * Prompt templates: front matter, partials `{{> name}}`, blocks `{{#name}}…{{/name}}` shown when the value is not empty,
 * and placeholders `{{name}}`. Values are inserted verbatim and never parsed as a template again. It knows no roles or
 * files; the caller chooses the template of a dispatch.
 */
export interface Template {
  readonly meta: TemplateMeta;
  readonly body: string;
}

const toolList = z
  .union([z.string(), z.array(z.string())])
  .transform((tools) => (typeof tools === "string" ? tools.split(",") : tools).map((tool) => tool.trim()));

export const TemplateMeta = z.strictObject({
  role: z.string(),
  tools: toolList,
  model: z.string().optional(),
  /** A key of gates/review-formats.ts, if the answer is a review. */
  reply: z.string().optional(),
});
export type TemplateMeta = z.infer<typeof TemplateMeta>;

/** Template name (`plan-review`) -> text; a user's text replaces the shipped one of the same name. */
export type Templates = Readonly<Record<string, string>>;

/** `undefined` is a known name without a value: allowed as a block, an error if printed. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Renders the template `name`, with partials from the same map. */
export function renderPrompt(options: {
  readonly name: string;
  readonly templates: Templates;
  readonly variables: Variables;
}): { readonly meta: TemplateMeta; readonly prompt: string } {
  const { name, templates, variables } = options;
  const { meta, body } = parseTemplate(templateText(name, templates));
  return { meta, prompt: renderTemplate(expandPartials(body, templates), variables) };
}

export function parseTemplate(text: string): Template {
  const found = frontMatterOf(text);
  if (found === null)
    throw invalid("the template has no front matter", "Begin it with ---, `role:`, `tools:`, and --- again.");
  const meta = TemplateMeta.safeParse(readYaml(found.yaml));
  if (!meta.success)
    throw invalid(
      `the front matter is wrong: ${issuesText(meta.error)}`,
      "It holds role, tools, model and reply.",
    );
  return { meta: meta.data, body: found.body };
}

/** Expands partials recursively; refuses cycles. */
export function expandPartials(body: string, templates: Templates): string {
  return expand(body, { templates, open: [] });
}

/** Renders an expanded template. Unknown names, missing values and unmatched tags are errors. */
export function renderTemplate(body: string, variables: Variables): string {
  const blocks: { readonly name: string; readonly shown: boolean }[] = [];
  const shown = (): boolean => blocks.every((block) => block.shown);
  let output = "";
  let from = 0;
  for (const match of body.matchAll(tag)) {
    const [text, blockSign, blockName, sign, inlineName] = match;
    const before = plain(body.slice(from, match.index));
    if (shown()) output += before;
    from = match.index + text.length;
    const name = blockName ?? inlineName ?? "";
    switch (blockSign ?? sign) {
      case "#":
        blocks.push({ name, shown: (valueOf(name, variables) ?? "") !== "" });
        break;
      case "/":
        if (blocks.pop()?.name !== name)
          throw invalid(`{{/${name}}} closes no block`, `Open it with {{#${name}}}.`);
        break;
      default: {
        const value = valueOf(name, variables);
        if (!shown()) break;
        if (value === undefined)
          throw invalid(`{{${name}}} has no value here`, `Put it into {{#${name}}}…{{/${name}}}.`);
        output += value;
      }
    }
  }
  const last = blocks.at(-1);
  if (last) throw invalid(`{{#${last.name}}} is never closed`, `Close it with {{/${last.name}}}.`);
  return output + plain(body.slice(from));
}

/** The distinct names in a body, in order. */
export function variablesOf(body: string): readonly string[] {
  return [...new Set([...body.matchAll(tag)].map((match) => match[2] ?? match[4] ?? ""))];
}

const partialTag = /\{\{> *([a-z][a-z0-9-]*) *\}\}/g;
// A block tag alone on its line removes the line.
const tag =
  /^[ \t]*\{\{([#/]) *([a-z][a-z0-9_]*) *\}\}[ \t]*(?:\r?\n|(?![\s\S]))|\{\{([#/]?) *([a-z][a-z0-9_]*) *\}\}/gm;

function expand(
  body: string,
  at: { readonly templates: Templates; readonly open: readonly string[] },
): string {
  const { templates, open } = at;
  return body.replace(partialTag, (_tag, name: string) => {
    if (open.includes(name))
      throw invalid(
        `partials include each other: ${[...open, name].join(" > ")}`,
        "Remove one of the includes.",
      );
    const text = templateText(name, templates);
    const partial = (frontMatterOf(text)?.body ?? text).replace(/\r?\n$/, "");
    return expand(partial, { templates, open: [...open, name] });
  });
}

function templateText(name: string, templates: Templates): string {
  const text = Object.hasOwn(templates, name) ? templates[name] : undefined;
  if (text === undefined)
    throw invalid(`there is no template ${name}`, `Known: ${Object.keys(templates).sort().join(", ")}.`);
  return text;
}

function valueOf(name: string, variables: Variables): string | undefined {
  if (!Object.hasOwn(variables, name))
    throw invalid(
      `the template names an unknown variable {{${name}}}`,
      `Known: ${Object.keys(variables).sort().join(", ")}.`,
    );
  return variables[name];
}

function plain(text: string): string {
  const at = text.indexOf("{{");
  if (at >= 0)
    throw invalid(
      `this is no tag: ${text.slice(at, at + 30)}`,
      "Tags are {{name}}, {{#name}}, {{/name}}, {{> name}}.",
    );
  return text;
}

function readYaml(text: string): unknown {
  try {
    return parse(text);
  } catch (cause) {
    throw invalid("the front matter is no YAML", "It holds role, tools, model and reply.", cause);
  }
}

function invalid(message: string, hint: string, cause?: unknown): AppError {
  return new AppError("template_invalid", message, cause === undefined ? { hint } : { hint, cause });
}
