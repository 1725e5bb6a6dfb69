/**
 * Markdown of an agent or a person as elements of this page. HTML in it is text, images are their description, and only links to
 * the web and to mail are links.
 */
import MarkdownIt, { type Token } from "markdown-it";
import { h, type ComponentChildren, type VNode } from "preact";

const reader = new MarkdownIt({ html: false, linkify: false, typographer: false });

export function Markdown({ text }: { readonly text: string }) {
  return <div class="markdown">{childrenOf(reader.parse(text, {}))}</div>;
}

/** Tokens come as a flat list in which an opening one is followed by what it holds and a closing one. */
function childrenOf(tokens: readonly Token[]): ComponentChildren[] {
  const found: ComponentChildren[] = [];
  let at = 0;
  while (at < tokens.length) {
    const token = tokens[at];
    if (token === undefined) break;
    if (token.nesting !== 1) {
      found.push(leaf(token));
      at += 1;
      continue;
    }
    const end = closing(tokens, at);
    const inner = childrenOf(tokens.slice(at + 1, end));
    found.push(token.hidden ? inner : element(token, inner));
    at = end + 1;
  }
  return found;
}

function closing(tokens: readonly Token[], from: number): number {
  let depth = 0;
  for (let at = from; at < tokens.length; at++) {
    depth += tokens[at]?.nesting ?? 0;
    if (depth === 0) return at;
  }
  return tokens.length;
}

/** Elements that Markdown can open; anything else becomes its content. */
const allowed: ReadonlySet<string> = new Set(
  "p ul ol li blockquote strong em s table thead tbody tr th td".split(" "),
);

function element(token: Token, inner: ComponentChildren[]): ComponentChildren {
  // Below the titles of the page.
  const heading = /^h(?<level>[1-6])$/u.exec(token.tag)?.groups?.["level"];
  if (heading !== undefined) return h(`h${Math.min(Number(heading) + 3, 6)}`, null, inner);
  if (token.tag === "a") return link(String(token.attrGet("href") ?? ""), inner);
  return allowed.has(token.tag) ? h(token.tag, null, inner) : inner;
}

function link(href: string, inner: ComponentChildren[]): ComponentChildren {
  if (!/^(?:https?:\/\/|mailto:)/iu.test(href)) return inner;
  return (
    <a href={href} rel="noopener noreferrer nofollow" target="_blank">
      {inner}
    </a>
  );
}

function leaf(token: Token): ComponentChildren {
  switch (token.type) {
    case "inline":
      return childrenOf(token.children ?? []);
    case "softbreak":
      return "\n";
    case "hardbreak":
      return <br />;
    case "hr":
      return <hr />;
    case "code_inline":
      return <code>{token.content}</code>;
    case "fence":
    case "code_block":
      return codeBlock(token.content);
    case "image":
      return token.content === "" ? "[image]" : `[image: ${token.content}]`;
    default:
      return token.content;
  }
}

function codeBlock(content: string): VNode {
  return <pre>{content.trimEnd()}</pre>;
}
