/** Porter's stemmer (1980) as SQLite's tokenizer implements it, for lower-case words of English letters. */
export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  return withoutFinalE(last(third(second(finalY(pastOrPlural(word))))));
}

const consonants = "[^aeiou][^aeiouy]*";
const vowels = "[aeiouy][aeiou]*";
/** Porter's measure (how often vowels are followed by consonants) above 0, exactly 1, above 1. */
const above0 = new RegExp(`^(?:${consonants})?${vowels}${consonants}`);
const exactly1 = new RegExp(`^(?:${consonants})?${vowels}${consonants}(?:${vowels})?$`);
const above1 = new RegExp(`^(?:${consonants})?${vowels}${consonants}${vowels}${consonants}`);
const hasVowel = new RegExp(`^(?:${consonants})?[aeiouy]`);
const isShort = new RegExp(`^${consonants}[aeiouy][^aeiouwxy]$`);

function pastOrPlural(word: string): string {
  const single = word.replace(/(ss|i)es$/, "$1").replace(/([^s])s$/, "$1");
  const eed = before(single, "eed");
  if (eed !== null) return above0.test(eed) ? `${eed}ee` : single;
  const root = before(single, "ed") ?? before(single, "ing");
  if (root === null || !hasVowel.test(root)) return single;
  if (/(at|bl|iz)$/.test(root)) return `${root}e`;
  if (/([^aeiouylsz])\1$/.test(root)) return root.slice(0, -1);
  return isShort.test(root) ? `${root}e` : root;
}

function finalY(word: string): string {
  const root = before(word, "y");
  return root !== null && hasVowel.test(root) ? `${root}i` : word;
}

const seconds: Readonly<Record<string, string>> = {
  ational: "ate",
  tional: "tion",
  enci: "ence",
  anci: "ance",
  izer: "ize",
  logi: "log",
  bli: "ble",
  alli: "al",
  entli: "ent",
  eli: "e",
  ousli: "ous",
  ization: "ize",
  ation: "ate",
  ator: "ate",
  alism: "al",
  iveness: "ive",
  fulness: "ful",
  ousness: "ous",
  aliti: "al",
  iviti: "ive",
  biliti: "ble",
};
const thirds: Readonly<Record<string, string>> = {
  icate: "ic",
  ative: "",
  alize: "al",
  iciti: "ic",
  ical: "ic",
  ful: "",
  ness: "",
};
const secondEnding = endings(Object.keys(seconds));
const thirdEnding = endings(Object.keys(thirds));
const lastEnding = endings(
  "al ance ence er ic able ible ant ement ment ent ou ism ate iti ous ive ize".split(" "),
);

function second(word: string): string {
  return replaced(word, secondEnding, seconds);
}

function third(word: string): string {
  return replaced(word, thirdEnding, thirds);
}

function last(word: string): string {
  const found = lastEnding.exec(word);
  const root = found?.[1] ?? /^(.+[st])ion$/.exec(word)?.[1];
  return root !== undefined && above1.test(root) ? root : word;
}

function withoutFinalE(word: string): string {
  const root = before(word, "e");
  const short =
    root !== null && (above1.test(root) || (exactly1.test(root) && !isShort.test(root))) ? root : word;
  return short.endsWith("ll") && above1.test(short) ? short.slice(0, -1) : short;
}

function replaced(word: string, ending: RegExp, by: Readonly<Record<string, string>>): string {
  const [, root = "", found = ""] = ending.exec(word) ?? [];
  return root !== "" && above0.test(root) ? root + (by[found] ?? "") : word;
}

/** Matches the longest ending first. */
function endings(list: readonly string[]): RegExp {
  return new RegExp(`^(.+?)(${list.toSorted((a, b) => b.length - a.length).join("|")})$`);
}

function before(word: string, ending: string): string | null {
  return word.endsWith(ending) && word.length > ending.length ? word.slice(0, -ending.length) : null;
}
