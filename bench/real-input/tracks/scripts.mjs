// Shared by the JavaScript and TypeScript exercises.

/** Converts jest to vitest by text and enables every test. */
export function toVitest(spec, slug, extension) {
  return spec
    .replaceAll("@jest/globals", "vitest")
    .replaceAll(/\bjest\b(?!-)/g, "vi")
    .replaceAll(/\bxtest\b/g, "test")
    .replaceAll(/\bxit\b/g, "it")
    .replaceAll(/\bxdescribe\b/g, "describe")
    .replaceAll(/\b(test|it|describe)\.skip\b/g, "$1")
    .replaceAll(/import \{([^}]*)\} from (['"])(?:vitest|expect)\2/g, (_all, names) => {
      const given = names.split(",").map((name) => name.trim());
      return `import { ${[...new Set(given.filter(Boolean))].join(", ")} } from 'vitest'`;
    })
    .replaceAll(new RegExp(`(['"])\\./${slug}(\\.${extension})?\\1`, "g"), `'../src/${slug}.${extension}'`);
}

export function scriptTitles(test) {
  const calls = /\b(?:test|it)(?:\.each\([^)]*\))?\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1/g;
  return [...test.matchAll(calls)].map((match) => match[2]);
}

/** The reference solution with every returned value removed; without a return the exercise's own stub. */
export function brokenScript(solution, stub) {
  // Without comments: a `return` in a comment would be changed and leave the solution correct.
  const code = solution.replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*/gm, "");
  const changed = code.replaceAll(/\breturn (?=\S)(?!;)/g, "return void ");
  return changed === code ? stub : changed;
}

export function weakScript(path) {
  return `import { test, expect } from 'vitest';\nimport '../${path}';\ntest('works', () => { expect(true).toBe(true); });\n`;
}

export function vitestStart(slug) {
  const manifest = { name: slug, private: true, type: "module", devDependencies: { vitest: "4.1.12" } };
  return { "package.json": `${JSON.stringify(manifest, null, 2)}\n`, ".gitignore": "node_modules\n" };
}
