import { expect, test } from "vitest";
import { unstoredSnapshots } from "./stored-snapshots.ts";

test("a snapshot is stored by its title, with a hint, by the start of a parametrised title, or as a file (fault E7)", () => {
  const unstored = (body: string, stored = "", files: readonly string[] = []) =>
    unstoredSnapshots({ path: "test/a.test.ts", text: body }, stored, (path) => files.includes(path)).map(
      ({ what }) => what,
    );
  const taken = 'test("one", () => { expect(a()).toMatchSnapshot(); });\n';
  expect(unstored(taken)).toEqual(["one"]);
  expect(unstored(taken, "exports[`suite one 1`] = `2`;")).toEqual([]);
  expect(unstored(taken, "exports[`another 1`] = `2`;")).toEqual(["one"]);
  const hinted = taken.replace("Snapshot()", 'Snapshot("as text")');
  expect(unstored(hinted, "exports[`one: as text 1`] = `2`;")).toEqual([]);
  const each = taken.replace("test(", "test.each([1, 2])(").replace("one", "adds %d");
  expect(unstored(each)).toEqual(["adds %d"]);
  expect(unstored(each, "exports[`adds 1 1`] = `2`;")).toEqual([]);
  const file = taken.replace("toMatchSnapshot()", 'toMatchFileSnapshot("./out/a.html")');
  expect(unstored(file)).toEqual(["one"]);
  expect(unstored(file, "", ["test/out/a.html"])).toEqual([]);
});
