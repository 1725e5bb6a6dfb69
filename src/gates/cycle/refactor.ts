/** The REFACTOR gate of a cycle: eight rows about one pass of the loop; the last row is the verdict (TDP-36). Pure. */
import { conclude, failed, shortList, passed, unclear } from "../check.ts";
import type { Check, Row, RowReview, Verdict } from "../verdict.ts";

export interface RefactorFacts {
  /** Ids of tests that passed on the accepted GREEN commit, and on the commit of this pass. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** The checks of QA's commit and of DE's commit in this pass. */
  readonly tests: Stage;
  readonly source: Stage;
  /** One sentence per removed or added export of the changed source files. */
  readonly interfaceChanges: readonly string[];
  readonly reviewOfTests: RefactorReview | null;
  readonly reviewOfSource: RefactorReview | null;
  /** The latest run of the whole suite on exactly this commit. */
  readonly suite: {
    readonly record: string;
    readonly verdict: Verdict["verdict"];
    readonly why: string;
  } | null;
}

export interface Stage {
  /** Id of the record that proves its commit; null where there is none. */
  readonly record: string | null;
  readonly verdict: "pass" | "fail" | "inconclusive";
  readonly why: string;
  /** Paths in its commits that belong to the other role. */
  readonly foreign: readonly string[];
  readonly numbers: Readonly<Record<string, number | string>>;
}

export interface RefactorReview extends RowReview {
  /** Given in this pass, on the judged tree. */
  readonly current: boolean;
}

export function judgeRefactor(facts: RefactorFacts): Verdict {
  const seven = [
    stillPassing(facts),
    improved(facts),
    consistent(facts),
    optimized("QA refactor: Test code optimized", facts.tests, facts.reviewOfTests),
    optimized("DE refactor: Implementation optimized", facts.source, facts.reviewOfSource),
    collaboration(facts),
    verification(facts),
  ];
  const rows = [...seven, ready(seven, facts)];
  return { ...conclude({ checks: rows.map(asCheck), findings: [] }), rows };
}

function stillPassing({ before, after, source }: RefactorFacts): Row {
  const name = "All tests still passing";
  const base = { name, basis: "record", ...withRecord(source.record) } as const;
  if (source.record === null || before.length === 0)
    return { ...base, mark: "inconclusive", why: "no record says which tests passed before and after" };
  const gone = before.filter((id) => !after.includes(id));
  if (gone.length === 0) return { ...base, mark: "pass", why: "" };
  return { ...base, mark: "fail", why: `passed in GREEN and not now: ${shortList(gone)}` };
}

/** Only a review can decide it; the numbers inform the reader. */
function improved({ tests, source, reviewOfTests, reviewOfSource }: RefactorFacts): Row {
  const prefixed = (prefix: string, numbers: Stage["numbers"]) =>
    Object.entries(numbers).map(([key, value]) => [`${prefix}_${key}`, value] as const);
  return {
    name: "Code quality improved",
    basis: "review",
    numbers: Object.fromEntries([...prefixed("source", source.numbers), ...prefixed("tests", tests.numbers)]),
    ...reviewed([reviewOfTests, reviewOfSource]),
  };
}

function consistent({ interfaceChanges, source }: RefactorFacts): Row {
  const base = { name: "Interface consistency", basis: "record", ...withRecord(source.record) } as const;
  if (interfaceChanges.length === 0) return { ...base, mark: "pass", why: "" };
  return {
    ...base,
    mark: "fail",
    why: `a refactoring must keep the public interface; restore: ${shortList(interfaceChanges)}`,
  };
}

function optimized(name: string, stage: Stage, review: RefactorReview | null): Row {
  const base = { name, basis: "review", ...withRecord(stage.record), numbers: stage.numbers } as const;
  if (stage.foreign.length > 0)
    return {
      ...base,
      mark: "fail",
      why: `refactor tests and source in separate commits; also changed: ${shortList(stage.foreign)}`,
    };
  if (stage.verdict !== "pass") return { ...base, mark: stage.verdict, why: stage.why };
  return { ...base, ...reviewed([review]) };
}

/** The mark of a row that depends on reviews: a pass if all approved, else for people to decide. */
function reviewed(reviews: readonly (RefactorReview | null)[]): Pick<Row, "mark" | "why" | "reviews"> {
  const given = reviews.filter((review) => review !== null);
  const approved = given.length === reviews.length && given.every(isApproved);
  return {
    mark: approved ? "pass" : "review",
    why: given.length === 0 ? "it was not reviewed in this pass" : given.map(describeReview).join("; "),
    reviews: given.map(({ current: _, ...review }) => review),
  };
}

function collaboration({ reviewOfTests, reviewOfSource }: RefactorFacts): Row {
  const named = [
    ["the review of the tests", reviewOfTests],
    ["the review of the implementation", reviewOfSource],
  ] as const;
  const missing = named.flatMap(([what, review]) => {
    if (review === null) return [`${what} is missing`];
    if (!review.current) return [`${what} is of an earlier pass or tree`];
    return review.status === "APPROVED" ? [] : [`${what}: ${describeReview(review)}`];
  });
  return {
    name: "Collaboration: Code review completed",
    basis: "review",
    mark: missing.length === 0 ? "pass" : "fail",
    why: missing.join("; "),
    reviews: [reviewOfTests, reviewOfSource].flatMap((review) => {
      if (review === null) return [];
      const { current: _, ...rest } = review;
      return [rest];
    }),
  };
}

function verification({ suite }: RefactorFacts): Row {
  const name = "Verification: Test suite fully passes";
  if (suite === null)
    return {
      name,
      basis: "record",
      mark: "inconclusive",
      why: "no record of the whole suite on this commit",
    };
  return { name, basis: "record", record: suite.record, mark: suite.verdict, why: suite.why };
}

function ready(seven: readonly Row[], { suite }: RefactorFacts): Row {
  const open = seven.filter(({ mark }) => mark !== "pass");
  const isFailed = open.some(({ mark }) => mark === "fail");
  return {
    name: "Ready for next cycle",
    basis: "record",
    ...withRecord(suite?.record ?? null),
    mark: open.length === 0 ? "pass" : isFailed ? "fail" : "inconclusive",
    why: open.length === 0 ? "" : `not before: ${open.map((row) => row.name).join("; ")}`,
  };
}

function isApproved({ status, current }: RefactorReview): boolean {
  return current && status === "APPROVED";
}

function describeReview({ reviewer, status, session, round }: RefactorReview): string {
  const where = session === "" ? `round ${round}` : `OBS[S${session},R${round}]`;
  return `${reviewer}: ${status} in ${where}`;
}

function withRecord(record: string | null): Pick<Row, "record"> {
  return record === null ? {} : { record };
}

/** A row that waits for a review is no doubt; the row of the reviews reports that. */
function asCheck({ name, mark, why }: Row): Check {
  if (mark === "fail") return failed(name, why);
  return mark === "inconclusive" ? unclear(name, why) : passed(name);
}
