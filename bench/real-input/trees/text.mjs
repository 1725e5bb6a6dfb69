// Splits the text of a program: stubs of its modules, and single tests of its test files.

const kind = (path) => (path.endsWith(".py") ? "python" : "script");
const error = 'throw new Error("not implemented");';

/** The module with every top-level function unimplemented; types, signatures and, in Python, constants stay. */
export function stubOf(path, text) {
  if (kind(path) === "python")
    return text.replaceAll(
      /^def \w+\([^]*?\)(?: -> [^\n]*)?:\n(?:(?:[ \t][^\n]*)?\n)+/gm,
      (whole) =>
        `${/^[^]*?\)(?: -> [^\n]*)?:\n/.exec(whole)[0]}    raise NotImplementedError("not implemented")\n\n\n`,
    );
  const functions = text.matchAll(
    /^export (?:default )?(?:function\b[^]*?\{\n[^]*?^\}|type [^\n]*\{\n[^]*?^\};|type [^]*?;$|interface [^]*?^\})/gm,
  );
  const parts = [...functions].map(([part]) =>
    /^export (?:default )?function/.test(part) ? `${/^[^]*?\{\n/.exec(part)[0]}  ${error}\n}` : part,
  );
  const imports = [...text.matchAll(/^import type [^]*?;$/gm)].map(([line]) => line);
  return `${[...imports, ...parts].join("\n\n")}\n`;
}

/** The text before the first test, and each test or outer suite. */
function testsOf(path, text) {
  const blocks =
    kind(path) === "python"
      ? /(?:^@[^\n]*\n(?:(?![@\w])[^\n]*\n)*)*^def test_[^\n]*\n(?:(?![@\w#])[^\n]*\n?)*/gm
      : /^(?:it|test|describe)\([^]*?^\}\);\n?/gm;
  const found = [...text.matchAll(blocks)];
  return { head: text.slice(0, found[0].index), blocks: found.map(([block]) => block.trimEnd()) };
}

export const firstTest = (path, text) => part(path, text, 0);
export const lastTest = (path, text) => part(path, text, -1);

function part(path, text, at) {
  const { head, blocks } = testsOf(path, text);
  // Data between two suites belongs to the next ones.
  const last = text.lastIndexOf(blocks.at(-1));
  if (at === -1 && kind(path) === "script" && blocks.at(-1).startsWith("describe"))
    return `${dataOf(text.slice(0, last))}${blocks.at(-1)}\n`;
  return `${head}${blocks.at(at)}\n`;
}

/** The text without its tests. */
function dataOf(text) {
  return text.replaceAll(/^(?:it|test|describe)\([^]*?^\}\);\n?/gm, "");
}

/** Renames `test/area-test.js` to `test/whole-area-test.js`, so that imports stay valid. */
export function besides(path, prefix) {
  const at = path.lastIndexOf("/") + 1;
  const name = path.slice(at);
  return `${path.slice(0, at)}${name.startsWith("test_") ? `test_${prefix}_${name.slice(5)}` : `${prefix}-${name}`}`;
}

/** Adapts the path or the text of a test to another folder depth, since its imports are relative. */
export function underFolder(folder, path, text) {
  const from = path.slice(0, path.lastIndexOf("/"));
  if (text === undefined) return `${folder}/${path.slice(from.length + 1)}`;
  if (folder === from) return text;
  if (folder.length < from.length) return text.replaceAll(/(?<=from "|import ")\.\.\/(?=\.\.\/)/g, "");
  return text.replaceAll(/(?<=from "|import ")\.\.?\//g, (up) => (up === "./" ? "../" : "../../"));
}

/** Removes the tests whose title contains one of these texts. */
export function withoutTests(text, titles) {
  return text.replaceAll(/^(?:it|test|describe)\([^]*?^\}\);\n+/gm, (block) =>
    titles.some((pattern) => pattern.test(block.split("\n")[0])) ? "" : block,
  );
}
