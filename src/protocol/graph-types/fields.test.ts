import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { inCi, verifies } from "../../../test/verifies.ts";
import { feedbackOf } from "./feedback.ts";
import { graphJsonSchema, graphTypeJsonSchema, graphTypeNames } from "./json-schema.ts";
import { MergerInput } from "./merger.ts";
import { graphNodes, nodeExits } from "./nodes.ts";
import { sampleOf, samples } from "./fixtures/samples.ts";

interface Definition {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Definition>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly items?: Definition;
  readonly prefixItems?: readonly Definition[];
  readonly anyOf?: readonly Definition[];
  readonly oneOf?: readonly Definition[];
  readonly pattern?: string;
  readonly minimum?: number;
}

const schema = graphJsonSchema() as { readonly $schema: string; readonly $defs: Record<string, Definition> };
const ajv = new Ajv2020({ strict: true, allErrors: true }).addSchema(schema, "graph");

function valid(type: string, value: unknown): boolean {
  const validate = ajv.getSchema(`graph#/$defs/${type}`);
  if (validate === undefined) throw new Error(`no schema of ${type}`);
  return validate(value) === true;
}

/** A definition in the notation of the specification: `?` after a name is Maybe. */
function written(definition: Definition): string {
  if (definition.$ref !== undefined) return definition.$ref.replace("#/$defs/", "");
  if (definition.enum !== undefined) return definition.enum.join(" | ");
  if (definition.oneOf !== undefined) return definition.oneOf.map(variant).join(" | ");
  if (definition.prefixItems !== undefined) return `(${definition.prefixItems.map(written).join(", ")})`;
  switch (definition.type) {
    case "string":
      return definition.pattern === undefined ? "Text" : "FilePath";
    case "integer":
      return definition.minimum === 0 ? "Int" : "integer";
    case "array":
      return `[${written(definition.items ?? {})}]`;
    case "object":
      return `{${Object.entries(definition.properties ?? {})
        .map(([name, type]) => field(name, type, definition))
        .join(", ")}}${definition.additionalProperties === false ? "" : " open"}`;
    default:
      return JSON.stringify(definition);
  }
}

function field(name: string, type: Definition, { required = [] }: Definition): string {
  return required.includes(name) ? `${name}: ${written(type)}` : `${name}?: ${written(unlessNull(type))}`;
}

/** What stands beside null; a field that may be absent but not null is written as it is not in the table. */
function unlessNull(type: Definition): Definition {
  if (Array.isArray(type.type) && type.type.includes("null"))
    return { ...type, type: type.type.find((one) => one !== "null") ?? "" };
  const [one, other] = type.anyOf ?? [];
  return one !== undefined && other?.type === "null" ? one : { enum: ["absent but never null"] };
}

function variant(definition: Definition): string {
  const [[name, payload] = ["", {}]] = Object.entries(definition.properties ?? {});
  const closed = definition.additionalProperties === false && definition.required?.join() === name;
  return `${name} ${written(payload)}${closed ? "" : " open"}`;
}

function table(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, written(schema.$defs[name] ?? {})]));
}

/** Every sample holds; without any one of its required fields, or with a misspelt one, it does not. */
function refusesLess(names: readonly string[]): void {
  for (const name of names) {
    const sample = sampleOf(name);
    expect([name, valid(name, sample)]).toEqual([name, true]);
    if (typeof sample !== "object" || sample === null) continue;
    for (const [key, value] of Object.entries(sample)) {
      const rest = Object.fromEntries(Object.entries(sample).filter(([other]) => other !== key));
      const needed = schema.$defs[name]?.oneOf !== undefined || schema.$defs[name]?.required?.includes(key);
      expect([name, key, valid(name, rest)]).toEqual([name, key, needed !== true]);
      expect([name, `${key}s`, valid(name, { ...rest, [`${key}s`]: value })]).toEqual([
        name,
        `${key}s`,
        false,
      ]);
    }
  }
}

inCi("there are exactly the types of the specification, and one of them can be asked for alone", () => {
  const seed = readFileSync(new URL("fixtures/type-names.txt", import.meta.url), "utf8")
    .trim()
    .split("\n");
  expect(seed).toHaveLength(33);
  expect(Object.keys(schema.$defs).toSorted()).toEqual(seed.toSorted());
  expect(graphTypeNames.toSorted()).toEqual(seed.toSorted());
  expect(graphTypeJsonSchema("Foo")).toBeNull();
  for (const name of seed) {
    const validate = ajv.compile(graphTypeJsonSchema(name) ?? false);
    expect([name, validate(sampleOf(name))]).toEqual([name, true]);
  }
});

verifies("V3-77", "each rule of the notation takes what it should and refuses the rest", () => {
  const spec = sampleOf("Spec") as Record<string, unknown>;
  const report = (pairs: unknown) => ({ criteriaWithTests: pairs, criteriaMissing: [] });
  const review = (sampleOf("TDDMode") as { ReviewImpl: unknown }).ReviewImpl;
  const critique = (line: unknown) => ({ file: "a.ts", line, issue: "i", requiredFix: "f" });
  const cases: readonly (readonly [string, string, unknown, boolean])[] = [
    ["Text", "Criterion", { id: "AC-1", text: "" }, true],
    ["Text", "Criterion", { id: "AC-1", text: 3 }, false],
    ["Int", "Critique", critique(0), true],
    ["Int", "Critique", critique(-1), false],
    ["Int", "Critique", critique(1.5), false],
    ["Int", "Critique", critique("1"), false],
    ["FilePath", "Spec", { ...spec, targetPath: "src/a b.ts" }, true],
    ["FilePath", "Spec", { ...spec, targetPath: "/etc/x" }, false],
    ["FilePath", "Spec", { ...spec, targetPath: "C:\\x" }, false],
    ["FilePath", "Spec", { ...spec, targetPath: "" }, false],
    ["Maybe: null", "Spec", { ...spec, complexityConstraints: null }, true],
    ["Maybe: absent", "Spec", Object.fromEntries(Object.entries(spec).slice(0, 5)), true],
    ["Maybe: T", "Spec", { ...spec, complexityConstraints: { time: "O(n)", space: null } }, true],
    ["Maybe: other", "Spec", { ...spec, complexityConstraints: "O(n)" }, false],
    ["list", "CoverageReport", report([]), true],
    ["list", "CoverageReport", report({}), false],
    ["pair", "CoverageReport", report([["AC-1", "adds"]]), true],
    ["pair", "CoverageReport", report([["AC-1"]]), false],
    ["pair", "CoverageReport", report([["AC-1", "adds", "more"]]), false],
    ["pair", "CoverageReport", report([{ criterionId: "AC-1", testName: "adds" }]), false],
    ["enumeration", "ImpactLevel", "Breaking", true],
    ["enumeration", "ImpactLevel", "breaking", false],
    ["closed", "NodeInfo", { nodeId: "a", branch: "b" }, true],
    ["closed", "NodeInfo", { nodeId: "a", branch: "b", mood: "good" }, false],
    ["oneOf", "TDDMode", { ReviewImpl: review }, true],
    ["no fields", "TDDMode", { WriteTests: {} }, true],
    ["no fields", "TDDMode", { WriteTests: null }, false],
    ["no fields", "TDDMode", { WriteTests: { mood: "good" } }, false],
    ["one key", "TDDMode", { WriteTests: {}, ReviewImpl: review }, false],
    ["one key", "TDDMode", {}, false],
    ["one key", "TDDMode", "WriteTests", false],
    ["camelCase", "InitWorkPayload", sampleOf("InitWorkPayload"), true],
    ["camelCase", "PlannedTest", { criterion_id: "AC-1", planned_test_name: "t", approach: "a" }, false],
  ];
  for (const [rule, type, value, fits] of cases)
    expect([rule, value, valid(type, value)]).toEqual([rule, value, fits]);
});

verifies("V3-78", "the shared types up to CoverageReport have exactly these fields", () => {
  const expected = {
    Spec: "{id: Text, description: Text, acceptanceCriteria: [Criterion], targetPath: FilePath, testPath: FilePath, complexityConstraints?: Constraints}",
    Constraints: "{time?: Text, space?: Text}",
    Criterion: "{id: Text, text: Text}",
    PlannedTest: "{criterionId: Text, plannedTestName: Text, approach: Text}",
    Critique: "{file: FilePath, line: Int, issue: Text, requiredFix: Text}",
    ImpactLevel: "Trivial | Additive | Breaking",
    ChangeEntry:
      "{symbol: Text, changeType: SignatureChange | NewExport | RemovedExport | BehaviorChange, reason: Text}",
    NodeInfo: "{nodeId: Text, branch: Text}",
    CoverageReport: "{criteriaWithTests: [(Text, Text)], criteriaMissing: [Text]}",
  };
  expect(table(Object.keys(expected))).toEqual(expected);
  refusesLess(Object.keys(expected));
});

verifies("V3-79", "the shared types from MergeComplete to Adaptation have exactly these fields", () => {
  const expected = {
    MergeComplete: "{mergeCommit: Text, author: Text, impactLevel: ImpactLevel, changes: [ChangeEntry]}",
    MergeEvent: "{author: Text, impactLevel: ImpactLevel, changes: [ChangeEntry]}",
    InitWorkPayload:
      "{scaffoldCommit: Text, interfaceFile: FilePath, contractSuite: FilePath, testPlan: [PlannedTest]}",
    TestsReadyPayload: "{testsCommit: Text, testFiles: [FilePath], pendingCriteria: [Text]}",
    ImplResult: "{commitHash: Text, iterations: Int, passedTests: [Text]}",
    TDDApproval: "{signOff: Text, coverageReport: CoverageReport}",
    Adaptation: "{symbol: Text, change: Text, reason: Text}",
  };
  expect(table(Object.keys(expected))).toEqual(expected);
  refusesLess(Object.keys(expected));
  expect(valid("MergeEvent", sampleOf("MergeComplete"))).toBe(false);
});

verifies("V3-80", "Scaffold's types have exactly these fields", () => {
  const feedback = "[{type: Text, fields: [(Text, Text)], notes?: [Text]}]";
  const expected = {
    ScaffoldInput: `{spec: Spec, parentContext?: ParentContext, feedback?: ${feedback}, depth?: Int, maxDepth?: Int}`,
    ParentContext: "{interface: Text, assignedCriteria: Text}",
    ScaffoldExit:
      "InitWork {scaffoldCommit: Text, interfaceFile: FilePath, contractSuite: FilePath, testPlan: [PlannedTest], " +
      "childSpecs?: [ChildSpec], interfaces?: [InterfaceFile]} | " +
      "ClarificationNeeded {question: Text, ambiguityReference: Text, specSentence: Text}",
    ChildSpec:
      "{id: Text, description: Text, acceptanceCriteria: [Criterion], targetPath: FilePath, testPath: FilePath}",
    InterfaceFile: "{path: FilePath, exports: [Text]}",
  };
  expect(table(Object.keys(expected))).toEqual(expected);
  refusesLess(Object.keys(expected));
  const { testPlan: _, ...less } = sampleOf("InitWorkPayload") as Record<string, unknown>;
  expect(valid("ScaffoldExit", { InitWork: less })).toBe(false);
  const child = { ...(sampleOf("ChildSpec") as object), complexityConstraints: null };
  expect(valid("ChildSpec", child)).toBe(false);
});

verifies("V3-81", "TDD's and Impl's types have exactly these fields, and each variant its own", () => {
  const failed =
    "[{childId: Text, reason: Text, details: Text, branch: Text, attempts: Int, partialCommit?: Text, filesCreated: [FilePath]}]";
  const expected = {
    TDDInput: "{spec: Spec, scaffold: InitWorkPayload, mode: TDDMode}",
    TDDMode: "WriteTests {} | ReviewImpl {implResult: ImplResult, diff: Text}",
    TDDMem: "{conversationId: Text, coveredCriteria: [Text], pendingTests: [Text]}",
    TDDExit:
      "TestsReady TestsReadyPayload | InvalidScaffold {missingType: Text, expectedLocation: FilePath} | " +
      "Approved TDDApproval | MoreTests {critiques: [Critique], additionalTests: [PlannedTest]} | " +
      "Reject {reason: Text, missingCriteria: [Text]}",
    ImplInput:
      "{spec: Spec, scaffold: InitWorkPayload, testsReady: TestsReadyPayload, childMerges?: [MergeComplete], " +
      `attemptCount: Int, critiqueList?: [Critique], childFailures?: ${failed}}`,
    ImplMem: "{conversationId: Text, passedTests: [Text], attemptHistory: [AttemptRecord]}",
    AttemptRecord: "{strategy: Text, outcome: Text}",
    ImplExit:
      "TestsPassed ImplResult | " +
      "RequestRetry {diagnosis: Text, strategyFrom: Text, strategyTo: Text, failingTests: [Text]} | " +
      "BlockedDependency {missingSymbol: Text, expectedImportPath: FilePath} | " +
      "SpecAmbiguity {specSentence: Text, contradictionTrace: Text, question: Text} | " +
      "Stuck {diagnosis: Text, recommendation: Text, attempts: Int}",
  };
  expect(table(Object.keys(expected))).toEqual(expected);
  refusesLess(Object.keys(expected));
  refusesEachVariant("TDDExit", "tdd");
  refusesEachVariant("ImplExit", "impl");
});

test("Merger's and Rebaser's types have exactly these fields", () => {
  const expected = {
    MergerInput:
      "{parentNode: NodeInfo, childNode: NodeInfo, tddApproval: TDDApproval, contractSuite: FilePath}",
    MergerExit:
      "MergeComplete MergeComplete | " +
      "MergeRejected {reason: ContractViolation | BuildFailure | IntegrationFailure, details: Text, failingTests: [Text]}",
    RebaserInput: "{node: NodeInfo, parentBranch: Text, newParentHead: Text, mergeEvent: MergeEvent}",
    RebaserExit:
      "RebaseClean {newBase: Text} | RebaseAdapted {newBase: Text, adaptations: [Adaptation]} | " +
      "RebaseConflict {conflictFile: FilePath, ourChange: Text, theirChange: Text, whyUnresolvable: Text}",
  };
  expect(table(Object.keys(expected))).toEqual(expected);
  refusesLess(Object.keys(expected));
  refusesEachVariant("MergerExit", "merger");
  refusesEachVariant("RebaserExit", "rebaser");
  const same = { nodeId: "shop", branch: "mettle/1/shop" };
  const input = { ...(sampleOf("MergerInput") as object), parentNode: same, childNode: same };
  expect(MergerInput.safeParse(input).error?.issues.map(({ path }) => path)).toEqual([
    ["childNode", "nodeId"],
  ]);
});

test("every exit of every node has a sample, a schema of its own, and is refused without any of its fields", () => {
  expect(graphNodes.flatMap((node) => Object.keys(nodeExits[node]))).toHaveLength(17);
  expect(Object.keys(samples.exits).toSorted()).toEqual(
    graphNodes.flatMap((node) => Object.keys(nodeExits[node])).toSorted(),
  );
});

test("a payload becomes feedback field by field", () => {
  const blocked = { missingSymbol: "openDb", expectedImportPath: "src/db.ts" };
  expect(feedbackOf("BlockedDependency", blocked, ["exported by: db"])).toEqual({
    type: "BlockedDependency",
    fields: [
      ["missingSymbol", "openDb"],
      ["expectedImportPath", "src/db.ts"],
    ],
    notes: ["exported by: db"],
  });
  const rejected = { failingTests: ["a", "b"], line: 3, none: null };
  expect(feedbackOf("X", rejected).fields).toEqual([
    ["failingTests", "a, b"],
    ["line", "3"],
  ]);
});

function refusesEachVariant(type: string, node: (typeof graphNodes)[number]): void {
  for (const [name, exit] of Object.entries(nodeExits[node])) {
    const payload = samples.exits[name] as Record<string, unknown>;
    expect([name, valid(type, { [name]: payload }), exit.safeParse(payload).success]).toEqual([
      name,
      true,
      true,
    ]);
    for (const key of Object.keys(payload)) {
      if (["childSpecs", "interfaces"].includes(key)) continue;
      const rest = Object.fromEntries(Object.entries(payload).filter(([other]) => other !== key));
      expect([name, key, valid(type, { [name]: rest })]).toEqual([name, key, false]);
      expect([name, key, exit.safeParse(rest).success]).toEqual([name, key, false]);
    }
  }
}
