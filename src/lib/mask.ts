/**
 * Takes secrets out of text before it is stored or shown (CORE-48). Pure: which values are secret is told by the caller
 * (`secretValues` in config/env.ts); tokens of well-known formats are found by their looks.
 */
export const masked = "[secret]";

/** The text with every secret value and every common token replaced by `[secret]`. */
export function mask(text: string, secrets: readonly string[] = []): string {
  return render(text, findSpans(text, compile(secrets)));
}

/** A JSON value with every text in it masked. */
export function maskValue(value: unknown, secrets: readonly string[] = []): unknown {
  if (typeof value === "string") return mask(value, secrets);
  if (Array.isArray(value)) return value.map((item) => maskValue(item, secrets));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [mask(name, secrets), maskValue(inner, secrets)]),
  );
}

export interface MaskStream {
  /** What can be given on by now; the end of the text waits, since a secret may go on in the next chunk. */
  push(chunk: string): string;
  /** The rest. */
  end(): string;
}

/** As `mask`, for text that comes in pieces; holds back about as much as the longest secret. */
export function maskStream(secrets: readonly string[] = []): MaskStream {
  const rules = compile(secrets);
  let buffer = "";
  return {
    push(chunk) {
      buffer += chunk;
      if (buffer.length <= rules.hold) return "";
      const spans = findSpans(buffer, rules);
      let cut = buffer.length - rules.hold;
      for (let across = crossing(spans, cut); across !== undefined; across = crossing(spans, cut))
        cut = across.from;
      // No secret is this long: what looks like one is given up as one, so that memory stays bounded.
      if (cut === 0 && buffer.length > longest) cut = buffer.length;
      const ready = render(
        buffer.slice(0, cut),
        spans.filter((span) => span.end <= cut),
      );
      buffer = buffer.slice(cut);
      return ready;
    },
    end() {
      const rest = render(buffer, findSpans(buffer, rules));
      buffer = "";
      return rest;
    },
  };
}

/** Shorter values are words such as `true` or `dev`; masking them would hide everything and protect nothing. */
const shortest = 6;
/** A line of a value of several lines counts from here; a closing brace alone is no secret. */
const shortestLine = 16;
const longest = 256 * 1024;

interface Rules {
  readonly values: readonly string[];
  /** Characters that a stream must keep back. */
  readonly hold: number;
}

interface Span {
  /** Where the match begins; `start` is where its secret part does. */
  readonly from: number;
  readonly start: number;
  readonly end: number;
}

const compiled = new WeakMap<readonly string[], Rules>();

function compile(secrets: readonly string[]): Rules {
  const known = compiled.get(secrets);
  if (known !== undefined) return known;
  const values = [...new Set(secrets.flatMap(spellings))];
  const rules: Rules = { values, hold: Math.max(512, ...values.map((value) => value.length)) };
  compiled.set(secrets, rules);
  return rules;
}

/** The forms in which one value turns up: as it is, inside JSON, inside a URL, and line by line. */
function spellings(secret: string): readonly string[] {
  const value = secret.trim();
  if (value.length < shortest) return [];
  const inJson = JSON.stringify(value).slice(1, -1);
  const inUrl = /^[ -~]*$/.test(value) ? encodeURIComponent(value) : value;
  const lines = value.includes("\n") ? value.split("\n").map((line) => line.trim()) : [];
  return [value, inJson, inUrl, ...lines.filter((line) => line.length >= shortestLine)];
}

/** Where a match's secret part begins is told by the group `keep`, which stays. */
const formats: readonly RegExp[] = [
  // Private keys, also when the end is missing.
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:(?:(?!-----)[^])*-----END [A-Z ]{0,40}PRIVATE KEY-----|[A-Za-z0-9+/=\\\s]*)/g,
  // OpenAI, Anthropic and others; a digit is asked for, since words may be joined by hyphens too.
  /(?<![A-Za-z0-9])sk-(?=[A-Za-z_-]{0,64}[0-9])[A-Za-z0-9_-]{16,}/g,
  /(?<![A-Za-z0-9])(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}/g,
  // GitHub, GitLab, npm, Hugging Face, PyPI, Slack, Google, AWS.
  /(?<![A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}|npm_[A-Za-z0-9]{30,}|hf_[A-Za-z0-9]{30,})/g,
  /(?<![A-Za-z0-9])(?:pypi-[A-Za-z0-9_-]{40,}|xox[a-z]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{20,}|AIza[A-Za-z0-9_-]{30,}|(?:AKIA|ASIA)[A-Z0-9]{16})/g,
  // The token of a dispatch (`newToken` of ids.ts), also when its end is missing.
  /mettle_[0-9a-f]{16,}/g,
  // JSON web tokens, bearer headers, passwords in URLs.
  /(?<![A-Za-z0-9])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
  /(?<keep>\bbearer\s{1,8})[A-Za-z0-9._~+/=-]{16,}/gi,
  /(?<keep>:\/\/[^\s/:@]{0,100}:)[^\s/:@]{1,200}(?=@)/g,
];

function findSpans(text: string, rules: Rules): readonly Span[] {
  const found: Span[] = [];
  for (const value of rules.values) {
    for (let from = text.indexOf(value); from !== -1; from = text.indexOf(value, from + value.length)) {
      found.push({ from, start: from, end: from + value.length });
    }
  }
  for (const format of formats) {
    for (const match of text.matchAll(format)) {
      const keep = match.groups?.["keep"]?.length ?? 0;
      found.push({ from: match.index, start: match.index + keep, end: match.index + match[0].length });
    }
  }
  return found.sort((a, b) => a.from - b.from || b.end - a.end);
}

function crossing(spans: readonly Span[], cut: number): Span | undefined {
  return spans.find((span) => span.from < cut && span.end > cut);
}

function render(text: string, spans: readonly Span[]): string {
  let out = "";
  let done = 0;
  for (const { start, end } of spans) {
    if (end <= done) continue;
    // Two that overlap become one.
    out += start < done ? "" : text.slice(done, start) + masked;
    done = end;
  }
  return out + text.slice(done);
}
