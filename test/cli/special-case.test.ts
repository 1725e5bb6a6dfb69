/** A solution that special-cases its tests, judged and accepted by the command line (PRV-15). */
import { expect } from "vitest";
import { answersOf, languages, solutions, testsOf } from "../../src/proof/neighbours/fixtures/roman.ts";
import { verifiesInCi } from "../verifies.ts";
import { changeWorld, wrongChecks } from "./change-world.ts";

const { testFile, idOf } = languages.javascript;
const ids = Object.keys(answersOf).map((number) => `${testFile}::${idOf(number)}`);

async function specialCased() {
  const world = await changeWorld([]);
  const table = { ...solutions("javascript").table, [testFile]: testsOf("javascript") };
  await world.branch("table", "main", table);
  const prove = async (...more: readonly string[]) => {
    const { code, answer } = await world.ask("prove", "--base", "main", "--head", "table", ...more);
    const found = (answer.findings ?? []).filter((one) => one.code === "special_case");
    return { code, answer, wrong: wrongChecks(answer), found };
  };
  return { world, prove };
}

verifiesInCi(
  "PRV-15",
  "mettle prove refuses it with the lines of the change, and a person accepts its tests by name",
  async () => {
    const { prove } = await specialCased();
    const refused = await prove();
    expect(refused).toMatchObject({ code: 1, found: [] });
    expect(refused.wrong).toEqual([
      expect.stringMatching(
        /^green\.hard_coded: `toRoman` contains literals of 6 of the 6 calls in its tests \(src\/roman\.js:2, .*; compute the answer from the input, or let a person accept the tests: mettle prove … --accept-test ID$/u,
      ),
    ]);
    const [check] = (refused.answer.checks ?? []).filter(({ name }) => name === "green.hard_coded");
    expect(check?.places).toContainEqual({ path: "src/roman.js", line: 2 });

    const some = await prove("--accept-test", ids[0] ?? "");
    expect([some.code, some.wrong.length]).toEqual([1, 1]);
    const accepted = await prove(...ids.flatMap((id) => ["--accept-test", id]));
    expect(accepted).toMatchObject({ code: 0, wrong: [] });
    expect(accepted.found.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^`toRoman` contains literals.*; a person accepted this$/u),
    ]);
  },
);

verifiesInCi(
  "PRV-15",
  "`proof.specialCase: false` switches the control off, and the record says so",
  async () => {
    const { world, prove } = await specialCased();
    await world.repo.write({ "mettle.yaml": "version: 1\nproof: { specialCase: false }\n" });
    const off = await prove();
    expect(off).toMatchObject({ code: 0, wrong: [], found: [] });
  },
);
