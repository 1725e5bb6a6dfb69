import { expect, test } from "vitest";
import { changesTestsAlone, isInlineTest, lostInlineTests } from "./inline-tests.ts";

const old = `/// Adds.
/// \`\`\`
/// assert_eq!(a::add(1, 2), 3);
/// \`\`\`
pub fn add(a: i32, b: i32) -> i32 { a + b }

#[cfg(test)]
mod tests {
    use super::*;
    fn three() -> i32 { 3 }
    #[test]
    fn adds() { assert_eq!(add(1, 2), three()); }
}
`;
const lost = (now: string) => lostInlineTests(new Map([["src/a.rs", old]]), new Map([["src/a.rs", now]]));

test("a new implementation, new tests and a new format lose no test", () => {
  expect(lost(old)).toEqual([]);
  expect(lost(old.replace("{ a + b }", "{\n    b + a\n}"))).toEqual([]);
  expect(lost(old.replace("fn adds() { ", "fn adds() {\n      "))).toEqual([]);
  expect(
    lost(old.replace("    #[test]", "    #[test]\n    fn more() { assert!(true); }\n    #[test]")),
  ).toEqual([]);
  expect(lost(`${old}\n#[test]\nfn outside() {}\n`)).toEqual([]);
});

test("a changed, removed, ignored or emptied test is reported by its file, a changed helper and example too", () => {
  const changes = [
    old.replace("add(1, 2), three()", "3, three()"),
    old.replace("#[test]\n", ""),
    old.replace("#[test]", "#[test]\n    #[ignore]"),
    old.replace("{ 3 }", "{ add(1, 2) }"),
    old.replace("use super::*;", "use super::fake as add;"),
    old.replace("#[cfg(test)]", '#[cfg(feature = "never")]'),
    old.replace("add(1, 2), 3);\n", "add(1, 2), 4);\n"),
    "pub fn add() {}\n",
    "",
  ];
  for (const now of changes) expect(lost(now)).toEqual(["src/a.rs"]);
});

test("other languages have no inline tests", () => {
  expect(lostInlineTests(new Map([["src/a.js", old]]), new Map())).toEqual([]);
});

test("a test writer may change tests only; losing a test or changing code is refused", () => {
  const alone = (now: string) => changesTestsAlone("src/a.rs", old, now);
  const more = old.replace("    #[test]", "    #[test]\n    fn more() { assert!(true); }\n    #[test]");
  expect([alone(more), alone(`${old}\n#[test]\nfn outside() {}\n`)]).toEqual([true, true]);
  const others = [
    more.replace("a + b", "a - b"),
    more.replace("three());", "add(1, 2));"),
    `${old}\n#[cfg(not(test))]\nfn hidden() {}\n`,
    `${old}\npub fn next() {}\n`,
  ];
  expect(others.map(alone)).toEqual([false, false, false, false]);
  expect(changesTestsAlone("src/a.ts", old, more)).toBe(false);
  const lines = more.split("\n");
  const inTests = lines.map((_line, index) => isInlineTest("src/a.rs", more, index + 1));
  expect(inTests).toEqual(lines.map((_line, index) => index >= 6 && index < lines.length - 1));
});
