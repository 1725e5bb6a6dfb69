// exercism/go: the tests of a package are beside its file. The module uses the installed Go, without benchmarks, whose syntax
// differs in newer versions.
import { execFileSync } from "node:child_process";

const go = "go";
const version = /go(\d+\.\d+)/.exec(execFileSync(go, ["env", "GOVERSION"], { encoding: "utf8" }))?.[1];

export const track = {
  // As `mettle init` writes them for a package without folders.
  settings: 'paths: { source: ["**/*.go"] }\nrunner: go\n',
  tries: [go, "test", "-vet=off", "./..."],
  exercise({ files, read }) {
    const given = JSON.parse(read(".meta/config.json")).files;
    const [path] = given.solution;
    const text = (file) => read(file).replaceAll(/^func Benchmark\w*\([^]*?^\}\n?/gm, "");
    const beside = files.filter((file) => /^[^./][^/]*\.\w+$/.test(file) && !/\.(md|go|mod)$/.test(file));
    const all = [...given.test, ...(given.editor ?? [])];
    const some = (names) => Object.fromEntries(names.map((file) => [file, text(file)]));
    const tests = some(all.filter((file) => file.endsWith("_test.go")));
    const source = some(all.filter((file) => !file.endsWith("_test.go")));
    const test = Object.values(tests).join("\n");
    const named = /^package \w+/m.exec(test)?.[0] ?? "";
    return {
      path,
      tests: { ...tests, ...Object.fromEntries(beside.map((file) => [file, read(file)])) },
      titles: [...test.matchAll(/^func (Test\w+)/gm)].map((match) => match[1]),
      solution: read(given.example[0]),
      wrong: read(path),
      // Uses the marker that Mettle knows.
      skeleton: read(path).replaceAll(/panic\("Please implement\b/g, 'panic("not implemented:'),
      weak: `${named}\n\nimport "testing"\n\nfunc TestWorks(t *testing.T) {}\n`,
      start: { ...source, "go.mod": read("go.mod").replace(/^go .*/m, `go ${version}`) },
    };
  },
};
