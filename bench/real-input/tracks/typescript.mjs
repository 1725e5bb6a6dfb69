// exercism/typescript: written for jest, run by vitest here.
import { brokenScript, scriptTitles, toVitest, vitestStart, weakScript } from "./scripts.mjs";

const compiler = { target: "ES2022", module: "NodeNext", strict: true, allowImportingTsExtensions: true };

export const track = {
  modules: true,
  exercise({ slug, files, read }) {
    const path = `src/${slug}.ts`;
    const helpers = files.filter(
      (file) => /^[^./][^/]*\.ts$/.test(file) && ![`${slug}.ts`, `${slug}.test.ts`].includes(file),
    );
    const test = toVitest(read(`${slug}.test.ts`), slug, "ts");
    const solution = read(".meta/proof.ci.ts");
    return {
      path,
      tests: {
        [`tests/${slug}.test.ts`]: test,
        ...Object.fromEntries(helpers.map((file) => [`tests/${file}`, read(file)])),
      },
      titles: scriptTitles(test),
      solution,
      wrong: brokenScript(solution, read(`${slug}.ts`)),
      weak: weakScript(path),
      start: {
        ...vitestStart(slug),
        "tsconfig.json": `${JSON.stringify({ compilerOptions: { ...compiler, noEmit: true } }, null, 2)}\n`,
      },
    };
  },
};
