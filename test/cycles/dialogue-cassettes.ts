/** The cassettes of riper's scripted agents, made from the demo's shortest whole run. */
import { oneCycle, type CyclesCassette } from "./world.ts";
import type { TurnFile } from "../orchestrate/world.ts";

/** What the roles say to each other, in words that no prompt and no file has. */
export const messages = {
  plan: "One cycle, for slugify: larch-otter-11.",
  doubt: "Which text has no word at all? heron-lantern-41.",
  answer: "The empty one, S2: dune-sparrow-72.",
  tests: "Two tests, both fail: slugify is not there, brook-finch-23.",
};

/** A plan that is sent back once, and a cycle whose DE reads QA's observations. */
export async function withDialogue(): Promise<CyclesCassette> {
  const cassette = await oneCycle();
  const { roles } = cassette;
  const works = (turn?: TurnFile) => (turn?.does ?? []).filter((act) => "write" in act);
  const payload = roles.planner[0]?.report?.payload;
  const [red, ...afterRed] = roles.qa;
  const [green, ...afterGreen] = roles.de;
  roles.planner = [
    { does: [{ observe: messages.plan }], report: { status: "PC", message: "one cycle", payload } },
    {
      does: [{ query: "OBS[*,R{n-1},*,*]" }, { observe: messages.answer }],
      report: { status: "PR", message: "the plan says so now", payload },
    },
  ];
  roles.plan_critic = [
    {
      does: [{ query: "OBS[*,R{current},*,*]" }, { observe: messages.doubt }],
      report: { status: "NR", message: "one question" },
    },
    { does: [{ query: "OBS[*,R{current},*,*]" }], report: { status: "PA", message: "answered" } },
  ];
  roles.qa = [{ ...red, does: [...works(red), { observe: messages.tests }] }, ...afterRed];
  roles.de = [{ ...green, does: [{ query: "OBS[*,*,A:QA,*]" }, ...works(green)] }, ...afterGreen];
  return cassette;
}

const easierTest = {
  edit: { path: "test/slugify.test.js", find: 'slugify(""), ""', replace: 'slugify("a"), "a"' },
};

/** A DE whose code is right, but who makes a frozen test easier. */
export async function withCheat(): Promise<CyclesCassette> {
  const cassette = await oneCycle();
  const [green] = cassette.roles.de;
  cassette.roles.de = [{ ...green, does: [...(green?.does ?? []), easierTest] }];
  return cassette;
}

const right = `import { words } from "./words.js";

/** A title as a URL slug. */
export function slugify(text) {
  return words(text).join("-").toLowerCase();
}
`;

/** The dialogue, and a DE whose first refactoring breaks the code while it claims that every test passes. */
export async function withInventedResults(): Promise<CyclesCassette> {
  const cassette = await withDialogue();
  const { qa, de } = cassette.roles;
  const [red, clearer, approval] = qa;
  const [green, , review] = de;
  const file = "src/slugify.js";
  cassette.roles.qa = [red ?? {}, clearer ?? {}, { report: { status: "RTC" } }, approval ?? {}];
  cassette.roles.de = [
    green ?? {},
    {
      does: [{ write: { path: file, content: right.replace('"-"', '"_"') } }],
      report: { status: "RIC", message: "EXIT_CODE: 0, 3 passed, 0 failed" },
    },
    {
      does: [{ write: { path: file, content: right } }],
      report: { status: "RIC", message: "said what it is for" },
    },
    review ?? {},
  ];
  return cassette;
}

/** Adds writes that a session's hooks refuse before the turn's own work. */
export function withForbiddenWrites(cassette: CyclesCassette): CyclesCassette {
  const tries = {
    qa: [{ write: { path: "src/slugify.js", content: "export const slugify = () => 1;\n" } }],
    de: [easierTest, { shell: "echo > test/slugify.test.js" }],
  };
  const { roles } = cassette;
  const before = (acts: NonNullable<TurnFile["does"]>, [first, ...later]: readonly TurnFile[]) => [
    { ...first, does: [...acts, ...(first?.does ?? [])] },
    ...later,
  ];
  return { ...cassette, roles: { ...roles, qa: before(tries.qa, roles.qa), de: before(tries.de, roles.de) } };
}
