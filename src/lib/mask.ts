/**
 * Masks secrets in text before it is stored or shown (CORE-48). Pure: the caller passes secret values (`secretValues` in
 * config/env.ts); well-known token formats are recognized as well.
 */
export const maskText = "[secret]";

/** Replaces secret values and well-known tokens by `[secret]`. */
export function mask(text: string, secrets: readonly string[] = []): string {
  return render(text, findSpans(text, compile(secrets)));
}

/**
 * Masks parts of a text with what stands around them, as `mask` of the whole text would: parts that are shown one after the other
 * make the same text. A secret is written where it begins. @param parts in order
 */
export function maskParts(
  text: string,
  parts: readonly TextRange[],
  secrets: readonly string[] = [],
): readonly string[] {
  const spans = findSpans(text, compile(secrets));
  return parts.map(({ from, to }) => {
    const own = spans.flatMap((span): readonly Span[] => {
      const { start, end } = span;
      if (end <= from || start >= to) return [];
      return [{ ...span, start: Math.max(start, from), end: Math.min(end, to), begun: start < from }];
    });
    return render(text.slice(0, to), own, from);
  });
}

/**
 * Where the end of a text begins that may be the start of a secret, so that it is not shown before the rest is known; the text's
 * length if there is none.
 */
export function unfinishedFrom(text: string, secrets: readonly string[] = []): number {
  const values = compile(secrets);
  const longest = Math.max(0, ...values.map(({ length }) => length));
  // Borders and line breaks come on top of the value itself.
  const { joined, places } = withoutBorders(text, Math.max(0, text.length - 4 * longest));
  let length = 0;
  for (const value of values)
    for (
      let size = Math.min(value.length - 1, joined.length);
      size >= minStartLength && size > length;
      size--
    )
      if (joined.endsWith(value.slice(0, size))) length = size;
  const first = length === 0 ? text.length : (places[joined.length - length] ?? text.length);
  return Math.min(first, text.length - unfinishedWord(text.slice(text.lastIndexOf("\n") + 1)));
}

/** Length of what may be a token of a known format, or the frame of a private key, at the end of a line that goes on. */
function unfinishedWord(line: string): number {
  const end = line.slice(-maxWordLength);
  const space = Math.max(end.lastIndexOf(" "), end.lastIndexOf("\t"));
  const frame = line.slice(-maxFrameLength).indexOf("-----");
  return Math.max(end.length - space - 1, frame === -1 ? 0 : Math.min(line.length, maxFrameLength) - frame);
}

/** A longer word is no token; the longest frame is that of an encrypted private key. */
const maxWordLength = 4096;
const maxFrameLength = 80;

/** Masks all texts in a JSON value. */
export function maskValue(value: unknown, secrets: readonly string[] = []): unknown {
  if (typeof value === "string") return mask(value, secrets);
  if (Array.isArray(value)) return value.map((item) => maskValue(item, secrets));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [mask(name, secrets), maskValue(inner, secrets)]),
  );
}

/** Whether the text contains a secret value, in any of the masked spellings. */
export function containsSecret(text: string, secrets: readonly string[]): boolean {
  return valueSpans(text, compile(secrets)).length > 0;
}

export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** A shorter start of a value tells nothing, and would hold back the ends of words. */
const minStartLength = 4;
/** Shorter values are words like `true` or `dev`; masking them would hide too much. */
const minSecretLength = 6;
/** Minimum length of a line of a multi-line value; a single closing brace is not a secret. */
const minLineLength = 16;
/** A shorter value has so few own base64 digits that they occur by chance. */
const minEncodedLength = 8;
/** Minimum length of a value that is also recognized across line breaks. */
const minWrappedLength = 12;

interface Span {
  /** Start of the match; `start` is the start of its secret part. */
  readonly from: number;
  readonly start: number;
  readonly end: number;
  /** It begins in an earlier part, where it is written. */
  readonly begun?: boolean;
}

const spellingsCache = new WeakMap<readonly string[], readonly string[]>();

/** All spellings of all secrets. */
function compile(secrets: readonly string[]): readonly string[] {
  const known = spellingsCache.get(secrets);
  if (known !== undefined) return known;
  const values = [...new Set(secrets.flatMap(spellings))];
  spellingsCache.set(secrets, values);
  return values;
}

/** The spellings of a value: plain, inside JSON, a URL or HTML, as base64 or hex, and line by line. */
function spellings(secret: string): readonly string[] {
  const value = secret.trim();
  // Part of the mask text itself: it would be masked endlessly.
  if (value.length < minSecretLength || maskText.includes(value)) return [];
  const inJson = JSON.stringify(value).slice(1, -1);
  const lines = value.includes("\n") ? value.split("\n").map((line) => line.trim()) : [];
  return [
    value,
    inJson,
    JSON.stringify(inJson).slice(1, -1),
    ...(/^[ -~]*$/.test(value) ? urlSpellings(value) : []),
    value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;"),
    ...(value.length < minEncodedLength ? [] : encodedSpellings(value)),
    ...lines.filter((line) => line.length >= minLineLength),
  ];
}

/** As a URL component, as a form field, and with lower-case hex digits. */
function urlSpellings(value: string): readonly string[] {
  const component = encodeURIComponent(value);
  const strict = component.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  const all = [component, strict, strict.replaceAll("%20", "+")];
  return [...all, ...all.map((text) => text.replace(/%../g, (code) => code.toLowerCase()))];
}

/** Hex, and base64 at each alignment, without digits that depend on neighbouring bytes. */
function encodedSpellings(value: string): readonly string[] {
  const bytes = Buffer.from(value);
  const base64 = [0, 1, 2].flatMap((before) => {
    const length = before + bytes.length;
    const digits = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const own = digits.slice(Math.ceil((before * 4) / 3), Math.floor((length * 4) / 3));
    return [own, own.replaceAll("+", "-").replaceAll("/", "_")];
  });
  const hex = bytes.toString("hex");
  return [...base64, hex, hex.toUpperCase()];
}

/** The group `keep` is not masked; the secret part follows it. */
const formats: readonly RegExp[] = [
  // Private keys, also without an end line.
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:(?:(?!-----)[^])*-----END [A-Z ]{0,40}PRIVATE KEY-----|[A-Za-z0-9+/=\\\s]*)/g,
  // OpenAI, Anthropic and others; a digit is required to exclude hyphenated words.
  /(?<![A-Za-z0-9])sk-(?=[A-Za-z_-]{0,64}[0-9])[A-Za-z0-9_-]{16,}/g,
  /(?<![A-Za-z0-9])(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}/g,
  // GitHub, GitLab, npm, Hugging Face, PyPI, Slack, Google, AWS.
  /(?<![A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}|npm_[A-Za-z0-9]{30,}|hf_[A-Za-z0-9]{30,})/g,
  /(?<![A-Za-z0-9])(?:pypi-[A-Za-z0-9_-]{40,}|xox[a-z]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{20,}|AIza[A-Za-z0-9_-]{30,}|(?:AKIA|ASIA)[A-Z0-9]{16})/g,
  // The token of a dispatch (`newToken` of ids.ts), also truncated.
  /mettle_[0-9a-f]{16,}/g,
  // JSON web tokens, bearer headers, passwords in URLs.
  /(?<![A-Za-z0-9])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
  /(?<keep>\bbearer\s{1,8})[A-Za-z0-9._~+/=-]{16,}/gi,
  /(?<keep>:\/\/[^\s/:@]{0,100}:)[^\s/:@]{1,200}(?=@)/g,
];

function findSpans(text: string, values: readonly string[]): readonly Span[] {
  const found = valueSpans(text, values);
  for (const format of formats) {
    for (const match of text.matchAll(format)) {
      const keep = match.groups?.["keep"]?.length ?? 0;
      found.push({ from: match.index, start: match.index + keep, end: match.index + match[0].length });
    }
  }
  return found.sort((a, b) => a.from - b.from || b.end - a.end);
}

function valueSpans(text: string, values: readonly string[]): Span[] {
  const found: Span[] = [];
  for (const value of values) {
    for (let from = text.indexOf(value); from !== -1; from = text.indexOf(value, from + value.length)) {
      found.push({ from, start: from, end: from + value.length });
    }
  }
  const wrapped = values.filter((value) => value.length >= minWrappedLength);
  if (wrapped.length > 0 && text.includes("\n")) found.push(...wrappedSpans(text, wrapped));
  return found;
}

/** Values that continue on the next line after an indent or a frame border. */
function wrappedSpans(text: string, values: readonly string[]): readonly Span[] {
  const { joined, places } = withoutBorders(text);
  return values.flatMap((value) => {
    const found: Span[] = [];
    for (let at = joined.indexOf(value); at !== -1; at = joined.indexOf(value, at + value.length)) {
      const from = places[at] ?? 0;
      const end = (places[at + value.length - 1] ?? 0) + 1;
      // Matches within one line were found already.
      if (end - from > value.length) found.push({ from, start: from, end });
    }
    return found;
  });
}

/** The text without line breaks, indents and frame borders, and the place of each of its characters. */
function withoutBorders(text: string, first = 0): { readonly joined: string; readonly places: Uint32Array } {
  const places = new Uint32Array(text.length - first);
  const kept: string[] = [];
  let length = 0;
  for (const { from, to } of linesOf(text, first)) {
    for (let at = from; at < to; at++) places[length++] = at;
    kept.push(text.slice(from, to));
  }
  return { joined: kept.join(""), places };
}

/** Start and end of each line's text, without indent and border. */
function linesOf(text: string, first: number): readonly TextRange[] {
  const found: TextRange[] = [];
  for (let start = first; start <= text.length;) {
    const next = text.indexOf("\n", start);
    const end = next === -1 ? text.length : next;
    let [from, to] = [start, end];
    while (from < to && border.has(text.charAt(from))) from += 1;
    while (to > from && border.has(text.charAt(to - 1))) to -= 1;
    found.push({ from, to });
    start = end + 1;
  }
  return found;
}

const border: ReadonlySet<string> = new Set([" ", "\t", "\r", "│", "|", ">", "\\"]);

function render(text: string, spans: readonly Span[], from = 0): string {
  let out = "";
  let done = from;
  for (const { start, end, begun = false } of spans) {
    if (end <= done) continue;
    // Overlapping spans become one.
    out += start < done ? "" : text.slice(done, start) + (begun ? "" : maskText);
    done = end;
  }
  return out + text.slice(done);
}
