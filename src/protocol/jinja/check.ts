/** Checks the names of a template against the types of its values; reports all faults with their lines. */
import { assertNever } from "../../lib/assert-never.ts";
import { nearest } from "../../lib/nearest.ts";
import type { Field, Shape } from "../graph-types/shape.ts";
import { filters, isPrintable } from "./filters.ts";
import { expressionText } from "./render.ts";
import { JinjaFault, type Body, type Expression, type For, type Statement } from "./tree.ts";

export type Names = ReadonlyMap<string, Shape>;

export function checkJinja(body: Body, names: Names): readonly JinjaFault[] {
  const faults: JinjaFault[] = [];
  checkBody(body, { names, faults });
  return faults;
}

interface Scope {
  readonly names: Names;
  readonly faults: JinjaFault[];
}

function checkBody(body: Body, scope: Scope): void {
  for (const statement of body) checkStatement(statement, scope);
}

function checkStatement(statement: Statement, scope: Scope): void {
  switch (statement.kind) {
    case "text":
      return;
    case "print":
    case "fenced": {
      const shape = shapeOfExpression(statement.value, scope);
      if (shape !== null && !isPrintable(shape))
        addFault(
          scope,
          statement.line,
          `${expressionText(statement.value)} is ${describeShape(shape)} and cannot be printed`,
        );
      return;
    }
    case "if":
      for (const { condition, body } of statement.branches) {
        shapeOfExpression(condition, scope);
        checkBody(body, scope);
      }
      checkBody(statement.otherwise, scope);
      return;
    case "for":
      checkFor(statement, scope);
      return;
    default:
      assertNever(statement);
  }
}

function checkFor(statement: For, scope: Scope): void {
  const { names, of, body, otherwise, line } = statement;
  const shape = shapeOfExpression(of, scope);
  if (shape !== null && shape.kind !== "list")
    addFault(scope, line, `${expressionText(of)} is ${describeShape(shape)}, not a list`);
  const item = shape?.kind === "list" ? shape.of : null;
  if (names.length > 1 && item !== null && item.kind !== "pair")
    addFault(scope, line, `${expressionText(of)} has no pairs that could be taken apart`);
  const taken = names.map((name): [string, Shape] => [name, names.length > 1 ? word : (item ?? unknown)]);
  checkBody(body, { ...scope, names: new Map([...scope.names, ...taken, ["loop", loop]]) });
  checkBody(otherwise, scope);
}

const word: Shape = { kind: "text" };
/** The shape after a fault, to avoid follow-up faults. */
const unknown: Shape = { kind: "oneOf", variants: new Map() };
const loop: Shape = {
  kind: "object",
  fields: new Map(
    ["index", "index0", "first", "last", "length"].map((name): [string, Field] => [
      name,
      { shape: { kind: "number" }, maybe: false },
    ]),
  ),
};

/** Null after a fault. */
function shapeOfExpression(expression: Expression, scope: Scope): Shape | null {
  switch (expression.kind) {
    case "literal":
      return word;
    case "name": {
      const shape = scope.names.get(expression.name);
      if (shape !== undefined) return shape === unknown ? null : shape;
      return unknownName(scope, expression.line, `there is no ${expression.name} here`, {
        name: expression.name,
        known: [...scope.names.keys()],
      });
    }
    case "field":
      return fieldShape(expression, scope);
    case "index": {
      const of = shapeOfExpression(expression.of, scope);
      if (of === null) return null;
      if (of.kind === "list") return of.of;
      if (of.kind === "pair" && expression.at < 2) return word;
      return addFault(
        scope,
        expression.line,
        `${expressionText(expression.of)} is ${describeShape(of)} and has no [${expression.at}]`,
      );
    }
    case "not":
      shapeOfExpression(expression.of, scope);
      return word;
    case "and":
    case "or":
    case "compare": {
      const left = shapeOfExpression(expression.left, scope);
      const right = shapeOfExpression(expression.right, scope);
      return expression.kind === "compare" ? word : (left ?? right);
    }
    case "choice": {
      shapeOfExpression(expression.if, scope);
      const no = shapeOfExpression(expression.no, scope);
      return shapeOfExpression(expression.yes, scope) ?? no;
    }
    case "filter": {
      const given = shapeOfExpression(expression.of, scope);
      const filter = Object.hasOwn(filters, expression.name) ? filters[expression.name] : undefined;
      if (filter === undefined)
        return unknownName(scope, expression.line, `there is no filter ${expression.name}`, {
          name: expression.name,
          known: Object.keys(filters),
        });
      const shape = given === null ? null : filter.shape(given, expression);
      return typeof shape === "string" ? addFault(scope, expression.line, shape) : shape;
    }
    default:
      return assertNever(expression);
  }
}

function fieldShape(expression: Extract<Expression, { kind: "field" }>, scope: Scope): Shape | null {
  const of = shapeOfExpression(expression.of, scope);
  if (of === null) return null;
  const { name, line } = expression;
  if (of.kind !== "object" && of.kind !== "oneOf")
    return addFault(
      scope,
      line,
      `${expressionText(expression.of)} is ${describeShape(of)} and has no field ${name}`,
    );
  const shape = of.kind === "object" ? of.fields.get(name)?.shape : of.variants.get(name);
  if (shape !== undefined) return shape;
  const known = [...(of.kind === "object" ? of.fields.keys() : of.variants.keys())];
  return unknownName(scope, line, `${expressionText(expression.of)} has no field ${name}`, { name, known });
}

function unknownName(
  scope: Scope,
  line: number,
  message: string,
  { name, known }: { readonly name: string; readonly known: readonly string[] },
): null {
  const near = nearest(name, known);
  const guess = near === null ? "" : `, did you mean ${near}?`;
  return addFault(scope, line, `${message}${guess} (known: ${known.join(", ")})`);
}

function addFault(scope: Scope, line: number, message: string): null {
  scope.faults.push(new JinjaFault(line, message));
  return null;
}

function describeShape(shape: Shape): string {
  switch (shape.kind) {
    case "list":
      return "a list";
    case "pair":
      return "a pair";
    case "object":
    case "oneOf":
      return "a thing with fields";
    case "number":
      return "a number";
    case "text":
    case "path":
    case "word":
      return "a text";
    default:
      return assertNever(shape);
  }
}
