/** Finds the literals of a data file, in which a table of answers may be. */
import { isObject, parseJson } from "../../lib/json.ts";
import { nested, type FoundLiteral } from "./found-literal.ts";

/** Null for a file of another kind. The keys of one object, or the values of one column, are one table. */
export function dataValues(path: string, text: string): readonly FoundLiteral[] | null {
  if (/\.jsonl?$/.test(path)) return jsonValues(text);
  if (/\.(?:csv|tsv)$/.test(path)) return cellValues(text);
  return null;
}

function jsonValues(text: string): readonly FoundLiteral[] {
  const whole = parseJson(text);
  const found: FoundLiteral[] = [];
  const tables = new Map<string, number>();
  const add = (literal: string, written: string, table: string) => {
    const start = Math.max(0, text.indexOf(written));
    const within = tables.get(table) ?? tables.size;
    tables.set(table, within);
    const place = { start, end: start + written.length, within };
    found.push({ text: literal, ...place, role: "key", isWhole: true, isValue: false });
  };
  /** @param column where the value is, without positions in lists */
  const visit = (value: unknown, column: string): string => {
    if (typeof value === "string") {
      add(value, JSON.stringify(value), column);
      return nested(value, true);
    }
    if (Array.isArray(value)) return list(value, column);
    if (isObject(value)) {
      const parts = Object.entries(value).map(([key, one]) => {
        add(key, JSON.stringify(key), `keys ${column}`);
        return `${JSON.stringify(key)}:${visit(one, `${column} ${key}`)}`;
      });
      return `{${parts.join(",")}}`;
    }
    add(String(value), String(value), column);
    return String(value);
  };
  const list = (values: readonly unknown[], column: string): string => {
    const all = `[${values.map((one) => visit(one, `${column}[]`)).join(",")}]`;
    const first = values.find((one) => typeof one !== "object");
    add(all, first === undefined ? all : JSON.stringify(first), column);
    return all;
  };
  if (whole === null) for (const line of text.split("\n")) visit(parseJson(line), "");
  else visit(whole, "");
  return found;
}

function cellValues(text: string): readonly FoundLiteral[] {
  const found: FoundLiteral[] = [];
  let from = 0;
  for (const line of text.split("\n")) {
    for (const [column, cell] of [...line.matchAll(/"((?:[^"]|"")*)"|[^,;\t\r"]+/g)].entries()) {
      const place = { start: from + cell.index, end: from + cell.index + cell[0].length, within: column };
      const value = cell[1]?.replaceAll('""', '"') ?? cell[0].trim();
      found.push({ text: value, ...place, role: "key", isWhole: true, isValue: false });
    }
    from += line.length + 1;
  }
  return found;
}
