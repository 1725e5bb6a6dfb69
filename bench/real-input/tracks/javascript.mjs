// exercism/javascript: written for jest, run by vitest here.
import { brokenScript, scriptTitles, toVitest, vitestStart, weakScript } from "./scripts.mjs";

const own = ["package.json", "babel.config.js", "jest.config.js"];

export const track = {
  modules: true,
  exercise({ slug, files, read }) {
    const path = `src/${slug}.js`;
    const helpers = files.filter(
      (file) =>
        /^[^./][^/]*\.(js|json|txt)$/.test(file) && ![`${slug}.js`, `${slug}.spec.js`, ...own].includes(file),
    );
    const test = toVitest(read(`${slug}.spec.js`), slug, "js");
    const solution = read(".meta/proof.ci.js");
    return {
      path,
      tests: {
        [`tests/${slug}.spec.js`]: test,
        ...Object.fromEntries(helpers.map((file) => [`tests/${file}`, read(file)])),
      },
      titles: scriptTitles(test),
      solution,
      wrong: brokenScript(solution, read(`${slug}.js`)),
      weak: weakScript(path),
      start: vitestStart(slug),
    };
  },
};
