/** Renders a template. Values are inserted verbatim: not escaped, and not parsed as a template again. */
import { assertNever } from "../../lib/assert-never.ts";
import { fieldOf, filters, listOf, textOf } from "./filters.ts";
import { JinjaFault, type Body, type Comparison, type Expression, type For, type Statement } from "./tree.ts";
import type { Value } from "./value.ts";

type Values = Readonly<Record<string, Value>>;

/** @throws JinjaFault if a missing value is printed or accessed */
export function renderJinja(body: Body, values: Values): string {
  return body.map((statement) => render(statement, values)).join("");
}

function render(statement: Statement, values: Values): string {
  switch (statement.kind) {
    case "text":
      return statement.text;
    case "print":
      return printValue(statement.value, statement.line, values);
    case "fenced": {
      const text = printValue(statement.value, statement.line, values);
      const fence = "`".repeat(Math.max(statement.ticks, longestFence(text) + 1));
      return `${fence}${statement.info}\n${text}\n${fence}`;
    }
    case "if": {
      const branch = statement.branches.find(({ condition }) => isTrue(evaluate(condition, values)));
      return renderJinja(branch?.body ?? statement.otherwise, values);
    }
    case "for":
      return renderFor(statement, values);
    default:
      return assertNever(statement);
  }
}

function renderFor({ names, of, body, otherwise }: For, values: Values): string {
  const items = listOf(evaluate(of, values));
  if (items.length === 0) return renderJinja(otherwise, values);
  const turns = items.map((item, at) => {
    const [name = "", second] = names;
    const taken =
      second === undefined
        ? { [name]: item }
        : { [name]: listOf(item)[0] ?? null, [second]: listOf(item)[1] ?? null };
    const loop = {
      index: at + 1,
      index0: at,
      first: at === 0,
      last: at === items.length - 1,
      length: items.length,
    };
    return renderJinja(body, { ...values, ...taken, loop });
  });
  return turns.join("");
}

function printValue(expression: Expression, line: number, values: Values): string {
  const value = evaluate(expression, values);
  switch (typeof value) {
    case "string":
      return value;
    case "number":
      return String(value);
    case "boolean":
      return value ? "True" : "False";
    default:
      throw new JinjaFault(
        line,
        `${expressionText(expression)} has no text here: put it into {% if … %} or {% for … %}`,
      );
  }
}

/** Length of the longest run of at least three backticks, anywhere in a line: diff lines do not start with it. */
function longestFence(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length));
}

/** As in Jinja2, except that objects are always true, for variants without fields (`{% if mode.WriteTests %}`). */
function isTrue(value: Value): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

function evaluate(expression: Expression, values: Values): Value {
  switch (expression.kind) {
    case "literal":
      return expression.value;
    case "name":
      return fieldOf(values, expression.name) ?? null;
    case "field": {
      const of = evaluate(expression.of, values);
      if (of === null) throw missingValue(expression.of, expression.line);
      return fieldOf(of, expression.name) ?? null;
    }
    case "index": {
      const of = evaluate(expression.of, values);
      if (of === null) throw missingValue(expression.of, expression.line);
      return listOf(of)[expression.at] ?? null;
    }
    case "not":
      return !isTrue(evaluate(expression.of, values));
    case "and": {
      const left = evaluate(expression.left, values);
      return isTrue(left) ? evaluate(expression.right, values) : left;
    }
    case "or": {
      const left = evaluate(expression.left, values);
      return isTrue(left) ? left : evaluate(expression.right, values);
    }
    case "compare":
      return compare(expression, values);
    case "choice":
      return evaluate(isTrue(evaluate(expression.if, values)) ? expression.yes : expression.no, values);
    case "filter": {
      const given = evaluate(expression.of, values);
      if (given === null) throw missingValue(expression.of, expression.line);
      return filters[expression.name]?.apply(given, expression) ?? null;
    }
    default:
      return assertNever(expression);
  }
}

function compare({ operator, left: l, right: r, line }: Comparison, values: Values): boolean {
  const [left, right] = [evaluate(l, values), evaluate(r, values)];
  switch (operator) {
    case "==":
      return left === right;
    case "!=":
      return left !== right;
    case "in":
    case "not in": {
      const within =
        typeof right === "string"
          ? right.includes(textOf(left))
          : listOf(right).some((item) => item === left);
      return within === (operator === "in");
    }
    case "<":
    case "<=":
    case ">":
    case ">=": {
      if (typeof left !== typeof right || left === null || right === null)
        throw new JinjaFault(line, `${expressionText(l)} and ${expressionText(r)} cannot be compared`);
      const less = operator.startsWith("<") ? left < right : left > right;
      return less || (operator.endsWith("=") && left === right);
    }
    default:
      return assertNever(operator);
  }
}

function missingValue(expression: Expression, line: number): JinjaFault {
  return new JinjaFault(
    line,
    `${expressionText(expression)} may be absent: put this into {% if ${expressionText(expression)} %}`,
  );
}

/** The text of an expression for messages. */
export function expressionText(expression: Expression): string {
  switch (expression.kind) {
    case "name":
      return expression.name;
    case "field":
      return `${expressionText(expression.of)}.${expression.name}`;
    case "index":
      return `${expressionText(expression.of)}[${expression.at}]`;
    case "filter":
      return `${expressionText(expression.of)} | ${expression.name}`;
    case "literal":
      return JSON.stringify(expression.value);
    default:
      return "this value";
  }
}
