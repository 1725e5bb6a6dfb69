import { expect, test } from "vitest";
import { verifies } from "../../test/verifies.ts";
import { newToken } from "./ids.ts";
import { mask, maskValue, maskParts, unfinishedFrom } from "./mask.ts";

/** Put together here, so that no scanner takes this file for a leak. */
const tokens: Readonly<Record<string, string>> = {
  openai: `sk-${"proj-"}${"aB3".repeat(16)}`,
  anthropic: `sk-${"ant-api03-"}${"xY9_".repeat(20)}`,
  stripe: `sk_${"live_"}${"4eC39HqLyjWDarjtT1"}`,
  github: `gh${"p_"}${"A1b2".repeat(9)}`,
  githubFine: `github_${"pat_"}${"11ABCDE_".repeat(8)}`,
  gitlab: `gl${"pat-"}${"x1Y2z3-_".repeat(3)}`,
  npm: `npm${"_"}${"a1B2".repeat(9)}`,
  aws: `AK${"IA"}${"IOSFODNN7EXAMPLE"}`,
  slack: `xo${"xb-"}123456789012-${"abcDEF".repeat(3)}`,
  google: `AI${"za"}${"SyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY".slice(0, 35)}`,
  jwt: `ey${"J"}hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${"dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P"}`,
  pem: `-----BEGIN ${"RSA PRIVATE"} KEY-----\n${"MIIEpAIBAAKCAQEA+/x=\n".repeat(8)}-----END ${"RSA PRIVATE"} KEY-----`,
};

verifies("CORE-48", "tokens of the common formats are masked wherever they stand in a text", () => {
  for (const [name, token] of Object.entries(tokens)) {
    expect([name, mask(`KEY=${token};`)]).toEqual([name, "KEY=[secret];"]);
    expect([name, mask(`"${token}"\nnext`)]).toEqual([name, '"[secret]"\nnext']);
  }
  expect(mask(`Authorization: Bearer ${"abcdef0123456789"}==`)).toBe("Authorization: Bearer [secret]");
  expect(mask("clone https://me:hunter2@example.org/x.git")).toBe(
    "clone https://me:[secret]@example.org/x.git",
  );
  expect(mask(`cut off: ${tokens["pem"]?.slice(0, 90)}`)).toBe("cut off: [secret]");
  expect(mask(JSON.stringify({ key: tokens["pem"] }))).toBe('{"key":"[secret]"}');
});

test("the token of a dispatch is masked by its looks, wherever it turns up, whole or cut", () => {
  const token = newToken();
  expect(mask(`METTLE_TOKEN=${token}\nnext`)).toBe("METTLE_TOKEN=[secret]\nnext");
  expect(mask(`NO${token} and ${token.slice(0, 30)}`)).toBe("NO[secret] and [secret]");
  const words = "mettle_dispatch, mettle_home, mettle_facade and mettle_a_name_that_is_long_enough_to_be_one";
  expect(mask(words)).toBe(words);
});

test("a JSON value is masked in all its texts and names, and stays the value it is", () => {
  const token = newToken();
  expect(maskValue({ list: ["a planted one", { [token]: null }], n: 1, ok: true }, ["planted"])).toEqual({
    list: ["a [secret] one", { "[secret]": null }],
    n: 1,
    ok: true,
  });
  expect(maskValue(undefined)).toBeUndefined();
});

verifies("CORE-48", "values of secret variables are masked in the forms they are printed in", () => {
  const secrets = ["planted value/1 &?", "planted value", "a\nsecond line of the value", "ab", ""];
  expect(mask("x planted value/1 &? y planted value z", secrets)).toBe("x [secret] y [secret] z");
  expect(mask("?k=planted%20value%2F1%20%26%3F&v=2", secrets)).toBe("?k=[secret]&v=2");
  expect(mask(JSON.stringify({ key: 'say "hi" now' }), ['say "hi" now'])).toBe('{"key":"[secret]"}');
  expect(mask("only the second line of the value here", secrets)).toBe("only the [secret] here");
  expect(mask("regular (expression) $1 [x]*", ["(expression) $1 [x]*"])).toBe("regular [secret]");
  expect(mask("ab stays, and so does nothing", secrets)).toBe("ab stays, and so does nothing");
});

test("a value is masked as base64, hex, in a form, in HTML, twice escaped and over wrapped lines (fault S5)", () => {
  const value = 'planted"4711&xyz+/';
  const secrets = [value, "secret"];
  const hidden = (text: string) => [
    mask(text, secrets),
    ...[16, 20].map((width) => mask(wrapped(text, width), secrets)),
  ];
  const wrapped = (text: string, width: number) =>
    (text.match(new RegExp(`.{1,${width}}`, "g")) ?? []).map((line) => `│ ${line} │`).join("\n");
  for (const before of ["", "u", "us", "user:"])
    for (const after of ["", "x", "xy"]) {
      const whole = Buffer.from(`${before}${value}${after}`);
      for (const encoding of ["base64", "base64url", "hex"] as const)
        for (const text of hidden(`is ${whole.toString(encoding)} end`))
          expect(text).toMatch(/^(│ )?is [\w+/=-]{0,12}\[secret\][\w+/=-]{0,10} /);
    }
  const twice = JSON.stringify(JSON.stringify(value));
  const form = new URLSearchParams({ a: `${value} b` }).toString();
  expect([
    mask(twice, secrets),
    mask(form, [`${value} b`]),
    mask("planted&quot;4711&amp;xyz+/", secrets),
  ]).toEqual([String.raw`"\"[secret]\""`, "a=[secret]", "[secret]"]);
  expect(mask('a\nplanted"47\n  11&xyz+/ b', secrets)).toBe("a\n[secret] b");
  expect(mask("[secret] a secret", secrets)).toBe("[secret] a secret");
});

test("overlapping secrets become one, and masking twice changes nothing more", () => {
  const secrets = ["abcdefgh", "fghijklm"];
  const once = mask(`x abcdefghijklm y ${tokens["github"]}`, secrets);
  expect(once).toBe("x [secret] y [secret]");
  expect(mask(once, secrets)).toBe(once);
});

test("what only resembles a token stays", () => {
  const text = [
    "task-management-system-with-long-name and sk-learn-like-names-without-digit",
    "commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b, sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "npm_config_registry=https://registry.example.org:8080/x github_pattern xoxo",
    "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
    "the bearer of this letter, http://localhost:3000/a@b, 12:30:45",
    "src/risk-assessment-2024-report-final-version.ts",
  ].join("\n");
  expect(mask(text, [])).toBe(text);
});

test("masking is quick enough for large outputs, and no text makes it slow", () => {
  const nasty = ["sk-", "eyJ", "://a:", "bearer ", "-----BEGIN PRIVATE KEY-----", "-", "a", "\\", " "];
  for (const part of [...nasty, "an ordinary line of a test's output, 1234 ms\n"]) {
    const text = part.repeat(Math.ceil(300_000 / part.length));
    const started = process.cpuUsage();
    const length = mask(text, ["planted value/1"]).length;
    const seconds = process.cpuUsage(started).user / 1e6;
    // Steps that grow with the square of the text would take minutes.
    expect([part, length > 0, seconds < 2]).toEqual([part, true, true]);
  }
});

test("parts of a text that are masked one after the other are together the masked text, however a secret is cut", () => {
  const value = "planted-value/4711-and-more";
  const key =
    "-----BEGIN PRIVATE KEY-----\nMIIBVQIBADANBgkqhkiG9w0B\nAQEFAASCAT8wggE7AgEAAkEA\n-----END PRIVATE KEY-----";
  const whole = `first ${value} and\n  planted-value\n  /4711-and-more, then\n${key}\nghp_${"a1".repeat(12)} end\n`;
  for (const size of [1, 3, 7, 20, 64]) {
    let shown = "";
    let from = 0;
    for (let at = size; at < whole.length + size; at += size) {
      const text = whole.slice(0, at);
      const to = at >= whole.length ? text.length : unfinishedFrom(text, [value]);
      if (to <= from) continue;
      shown += maskParts(text, [{ from, to }], [value]).join("");
      expect(shown).not.toMatch(/plan|4711|MIIB|ghp/u);
      from = to;
    }
    expect(shown).toBe(mask(whole, [value]));
  }
});
