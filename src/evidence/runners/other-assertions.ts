/**
 * Finds assertions besides `expect`, the only one whose calls vitest and jest count: `assert` of node, chai or vitest,
 * helpers named after it, `value.should`, sinon, testdouble and the chained `expect` of supertest. Only the test's text
 * shows them.
 */
export function hasUncountedAssertions(text: string): boolean {
  return asserts(text, text);
}

/** Whether one test of a file has such assertions: searches from its title to the next test. */
export function testHasUncountedAssertions(text: string, title: string): boolean {
  const at = text.indexOf(title);
  if (at < 0) return false;
  const rest = text.slice(at + title.length);
  const end = /^\s*(?:it|test|specify|describe)\s*[.(]/m.exec(rest)?.index ?? rest.length;
  return asserts(rest.slice(0, end), text);
}

function asserts(part: string, file: string): boolean {
  return (
    /(?<![\p{L}\p{N}_$.])(?:[\p{L}\p{N}_$]+A|a)ssert[\p{L}\p{N}_$]*\s*[.(]|\.\s*should\s*[.(]/u.test(part) ||
    /\bsinon\s*\.\s*assert\b|\btd\s*\.\s*verify\s*\(|(?<![\p{L}\p{N}_$.])should\s*[.(]/u.test(part) ||
    (/["'](?:[^"'\n]*\/)?(?:super(?:agent-)?test|chai-http|frisby|pactum)(?:\.\w+)?["']/.test(file) &&
      /\.\s*expect[A-Z]?\w*\s*\(/.test(part))
  );
}
