/**
 * The control copy of a JavaScript or TypeScript test file: in each test every assertion on a literal gets another literal
 * and runs on its own, and a false assertion ends the test. The copy has the names, order, number and matchers of the
 * original, so that code under test cannot recognise it by them.
 */
import type { TextFile } from "../test-marks-javascript.ts";
import { scriptFacts, type FoundAssertion, type ScriptFacts } from "../cannot-fail/script-weak.ts";
import { everyNode, isNode, lineOf, nodesIn, wordOf, type Parse, type SyntaxNode } from "../syntax.ts";
import {
  shortCode,
  type ControlCopy,
  type ControlTest,
  type CopyRequest,
  type Draw,
  type Flip,
} from "./edit.ts";
import { applyEdits, type Edit } from "../text-edits.ts";
import { falsehoodOf, falsehoodOfExpression, type Falsehood } from "./script-assertions.ts";
import { bindingsOf, type Bindings } from "./script-bindings.ts";
import { closingOf, type Closing } from "./script-closing.ts";
import { changedLeaf, knownValues, type KnownValues } from "./script-literals.ts";
import { scriptTests, type ScriptTest } from "./script-tests.ts";
import { scriptBodies } from "../neighbours/script-bodies.ts";
import { watchedAt, watchedAssertions, watchingEdits } from "./watched-script.ts";

/** Null where the file does not parse. */
export function scriptCopy(
  parse: Parse,
  { file, draw, isWanted, isSource, neighbours }: CopyRequest,
): ControlCopy | null {
  const program = parse(file.path, file.text);
  if (program === null) return null;
  const bindings = bindingsOf(program);
  const { tests, unclear, caller } = scriptTests(program);
  const closing = closingOf(program, bindings, file.text);
  const facts = { bindings, closing, text: file.text, script: scriptFacts(program, isSource) };
  const named = tests.map((test) => ({ test, name: test.path.join("::") }));
  const wanted = named.filter(({ name }) => isWanted(name));
  const plans = wanted.map(({ test, name }) => ({
    test,
    name,
    plan: planOf(test, facts),
  }));
  const known = knownValues(
    plans.flatMap(({ plan }) => plan?.steps.flatMap(({ falsehood }) => leaves(falsehood)) ?? []),
  );
  const changed = plans.filter(
    // Two tests of one name: either all are changed or none is judged.
    ({ name }) => plans.every((other) => other.name !== name || other.plan !== null),
  );
  const bodies =
    neighbours === undefined ? null : scriptBodies({ text: file.text, bindings, draw, runtime: neighbours });
  const edits: Edit[] = [];
  const made: ControlTest[] = [];
  for (const { test, name, plan } of changed) {
    if (plan === null) continue;
    const mark = draw.mark();
    const handed = plan.hasCallback ? "" : (bodies?.opening(test) ?? "");
    edits.push(...editsOf(plan, { file, mark, draw, known, handed }));
    made.push({
      name,
      line: test.line,
      mark,
      count: named.filter((other) => other.name === name).length,
      flips: plan.steps.map(({ statement }): Flip => flipAt(statement, file.text)),
      watched: watchedAt(plan.watched, file.text),
    });
  }
  // Tests without certain names cannot be judged one by one: one false test more shows whether matchers are replaced.
  if (made.length === 0 && unclear.length > 0 && caller !== null && closing !== null) {
    const [mark, title] = [draw.mark(), draw.title(" ")];
    const body = `{ ${closing(JSON.stringify(`${mark}:`), JSON.stringify(draw.name()))} }`;
    const at = file.text.length;
    edits.push({ start: at, end: at, text: `\n;${caller}(${JSON.stringify(title)}, () => ${body});\n` });
    made.push({ name: title, line: 1, mark, count: 1, flips: [] });
  }
  if (bodies !== null && caller !== null)
    edits.push({ start: file.text.length, end: file.text.length, text: bodies.closing(caller) });
  const done = new Set(made.map(({ name }) => name));
  const text = applyEdits(file.text, edits);
  return {
    // A handed over body has parameters without types.
    text: bodies !== null && /\.[cm]?tsx?$/.test(file.path) ? `// @ts-nocheck\n${text}` : text,
    neighbours: bodies === null ? null : { assertions: bodies.assertions, marks: [bodies.mark] },
    tests: made,
    unchanged: [...wanted.flatMap(({ name }) => (done.has(name) ? [] : [name])), ...unclear],
  };
}

function leaves(falsehood: Falsehood): readonly SyntaxNode[] {
  return falsehood.how === "literal" ? falsehood.leaves : [];
}

function flipAt(statement: SyntaxNode, text: string): Flip {
  return { line: lineOf(statement), was: shortCode(text.slice(start(statement), end(statement))) };
}

/** One test as it will be changed. */
interface Plan {
  readonly steps: readonly { readonly statement: SyntaxNode; readonly falsehood: Falsehood }[];
  /** Assertions whose execution is noted. */
  readonly watched: readonly FoundAssertion[];
  /** The body; an expression for a short arrow function. */
  readonly body: SyntaxNode;
  /** The statement that may end the test: a last one that returns, or one that uses the callback. */
  readonly last: SyntaxNode | null;
  /** The function, where it must become asynchronous. */
  readonly madeAsync: SyntaxNode | null;
  /** Whether it ends by calling a function. */
  readonly hasCallback?: true;
  readonly closing: Closing;
}

interface FileFacts {
  readonly bindings: Bindings;
  /** Null where the file calls no known assertion. */
  readonly closing: Closing | null;
  readonly text: string;
  readonly script: ScriptFacts;
}

/** Null for a test that cannot be changed with certainty. */
function planOf({ body: test }: ScriptTest, { bindings, closing, text, script }: FileFacts): Plan | null {
  const body = test["body"];
  if (!isNode(body) || test["generator"] === true) return null;
  const isAsync = test["async"] === true;
  // A test with a callback must not return a promise too; other parameters are the runner's context.
  const mayBecomeAsync = nodesIn(test["params"]).length === 0;
  const isCounted = /\.(?:assertions|plan)\(/.test(text.slice(start(body), end(body)));
  const whole = { body, watched: [], closing: isCounted ? thrown : (closing ?? thrown) };
  if (body.type !== "BlockStatement") {
    const falsehood = falsehoodOfExpression(body, { bindings, expected: new Map(), isAwaited: true });
    if ((!isAsync && !mayBecomeAsync) || (falsehood === null && closing === null)) return null;
    const steps = falsehood === null ? [] : [{ statement: body, falsehood }];
    return { ...whole, steps, last: null, madeAsync: isAsync ? null : test };
  }
  const statements = nodesIn(body["body"]);
  const last = statements.at(-1)?.type === "ReturnStatement" ? (statements.at(-1) ?? null) : null;
  if (ownReturns(body).some((one) => one !== last)) return null;
  const names = { bindings, expected: expectedVariables(body, statements) };
  const mayFlipLast = isAsync || mayBecomeAsync;
  const steps = statements.flatMap((statement) => {
    const isPossible =
      statement.type === "ExpressionStatement" || (statement.type === "ReturnStatement" && mayFlipLast);
    const falsehood = isPossible ? falsehoodOf(statement, names) : null;
    return falsehood === null ? [] : [{ statement, falsehood }];
  });
  if (steps.length === 0 && closing === null) return null;
  const called = callbackCall(test, statements);
  if (called !== null) {
    const before = steps.filter(({ statement }) => end(statement) <= start(called));
    return { ...whole, steps: before, last: called, madeAsync: null, hasCallback: true };
  }
  const flipsLast = steps.some(({ statement }) => statement === last);
  const watched = steps.length === 0 && last === null ? watchedAssertions(test, script) : [];
  return { ...whole, steps, watched, last, madeAsync: flipsLast && !isAsync ? test : null };
}

/** Variables of the test with one use: a changed value affects nothing else. */
function expectedVariables(
  body: SyntaxNode,
  statements: readonly SyntaxNode[],
): ReadonlyMap<string, SyntaxNode> {
  const uses = new Map<string, number>();
  for (const node of everyNode(body))
    if (node.type === "Identifier") uses.set(String(node["name"]), (uses.get(String(node["name"])) ?? 0) + 1);
  const declared = statements
    .filter(({ type }) => type === "VariableDeclaration")
    .flatMap((statement) => nodesIn(statement["declarations"]));
  return new Map(
    declared.flatMap((one) => {
      const name = wordOf(one["id"]) ?? "";
      return isNode(one["init"]) && uses.get(name) === 2 ? [[name, one["init"]] as const] : [];
    }),
  );
}

/** The first statement that uses the callback of a test: once it is called, the test has passed. */
function callbackCall(test: SyntaxNode, statements: readonly SyntaxNode[]): SyntaxNode | null {
  const names = nodesIn(test["params"]).flatMap((param) => wordOf(param) ?? []);
  const callbacks = new Set(names.filter((name) => !/^(?:t|ctx|context)$/.test(name)));
  const uses = (statement: SyntaxNode) =>
    everyNode(statement).some((node) => node.type === "Identifier" && callbacks.has(String(node["name"])));
  return statements.find(uses) ?? null;
}

const thrown: Closing = (one) => `throw new Error(${one});`;

/** Return statements of this function, without those of inner ones. */
function ownReturns(node: SyntaxNode): readonly SyntaxNode[] {
  const found: SyntaxNode[] = [];
  const visit = (one: SyntaxNode) => {
    if (/Function|ClassBody|ObjectMethod/.test(one.type)) return;
    if (one.type === "ReturnStatement") found.push(one);
    for (const value of Object.values(one))
      for (const child of isNode(value) ? [value] : nodesIn(value)) visit(child);
  };
  visit(node);
  return found;
}

interface Writing {
  readonly file: TextFile;
  readonly mark: string;
  readonly draw: Draw;
  readonly known: KnownValues;
  /** A statement that hands over the body as it was. */
  readonly handed: string;
}

function editsOf(
  { steps, watched, body, last, madeAsync, closing }: Plan,
  writing: Writing,
): readonly Edit[] {
  const { file, mark, draw, known, handed } = writing;
  const list = draw.name();
  const opening = `; const ${list} = []; ${handed}`;
  const ending = ` ; ${closing(`\`${mark}:\${${list}}\``, JSON.stringify(draw.name()))} `;
  const insert = (at: number, text: string): Edit => ({ start: at, end: at, text });
  const note = (index: number) => `; ${list}.push(${index}); } catch {} `;
  const inside = steps.flatMap(({ falsehood }) => falseEdits(falsehood, { draw, known }));
  const edits: Edit[] = madeAsync === null ? [] : [insert(start(madeAsync), "async ")];
  if (body.type !== "BlockStatement") {
    const [from, to] = withBrackets(file.text, body);
    const isFlipped = steps.length > 0;
    const before = `{ ${opening}${isFlipped ? "try { " : ""}await (`;
    const after = `)${isFlipped ? note(0) : ""}${ending}}`;
    return [
      ...edits,
      { start: from, end: start(body), text: before },
      ...inside,
      { start: end(body), end: to, text: after },
    ];
  }
  const directive = nodesIn(body["directives"]).at(-1);
  const opened = insert(directive === undefined ? start(body) + 1 : end(directive), opening);
  const [notes, tries, endings]: [Edit[], Edit[], Edit[]] = [[], [], []];
  for (const [index, { statement }] of steps.entries()) {
    const value = statement["argument"];
    if (statement.type === "ReturnStatement" && isNode(value)) {
      tries.push({ start: start(statement), end: start(value), text: "try { await (" });
      endings.push({ start: end(value), end: end(statement), text: `)${note(index)}${ending}` });
    } else {
      tries.push(insert(start(statement), "try { "));
      notes.push(insert(end(statement), note(index)));
    }
  }
  if (last === null) endings.push(insert(end(body) - 1, ending));
  else if (steps.every(({ statement }) => statement !== last)) endings.push(insert(start(last), ending));
  // In the order in which edits at one place follow each other.
  return [...edits, ...notes, opened, ...tries, ...inside, ...watchingEdits(watched, list), ...endings];
}

function falseEdits(falsehood: Falsehood, { draw, known }: Pick<Writing, "draw" | "known">): readonly Edit[] {
  if (falsehood.how === "actual") return falsehood.edits;
  return [changedLeaf(draw.pick(falsehood.leaves), falsehood.difference, { draw, known })];
}

/** The place of an expression with the brackets around it: `(x)` in `() => (x)`. */
function withBrackets(text: string, node: SyntaxNode): readonly [number, number] {
  let [from, to] = [start(node), end(node)];
  for (;;) {
    const [before, after] = [text.slice(0, from).trimEnd(), text.slice(to)];
    const next = after.length - after.trimStart().length;
    if (!before.endsWith("(") || after[next] !== ")" || !/=>\s*\(*\s*$/.test(before)) return [from, to];
    from = before.length - 1;
    to += next + 1;
  }
}

function start(node: SyntaxNode): number {
  return Number(node["start"]);
}

function end(node: SyntaxNode): number {
  return Number(node["end"]);
}
