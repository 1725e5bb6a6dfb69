// What JavaScript and TypeScript exercises have in common.

/** jest to vitest by text, and every test switched on. */
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

/** The reference solution with every returned value made void; the exercise's own stub where nothing is returned. */
export function brokenScript(solution, stub) {
  // A comment that speaks of a return would be changed alone, and the solution stay right.
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
