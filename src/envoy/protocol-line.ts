/** Parses the line of `envoy protocol`. Not part of the table, so that the quick start loads nothing else. */
import { readLine } from "../lib/command-line/read-line.ts";
import { argument, flag, option, type CommandTable, type CommandRow } from "../lib/command-line/row.ts";

export const protocolRow: CommandRow = {
  name: "protocol",
  summary:
    "print the numbered steps of a protocol: implementation, debugging, discovery, bug-discovery, or your own of .claude/protocols/ and .mettle/protocols/",
  inputs: [
    argument("name", "the protocol"),
    flag("json", "one object instead of text"),
    option("inputs JSON", "a JSON object with the inputs, validated and shown above the steps"),
  ],
};

const alone: CommandTable = {
  name: "envoy",
  readers: "agents",
  rows: [protocolRow],
  everywhere: [],
  groups: {},
};

export interface ProtocolLine {
  readonly name: string;
  readonly json: boolean;
  readonly inputs: string | null;
}

/** @param words after `envoy protocol` */
export function readProtocolLine(words: readonly string[]): ProtocolLine {
  const { words: read, flags } = readLine(alone, ["protocol", ...words]);
  const { name: [name = ""] = [], inputs: [inputs = null] = [] } = read;
  return { name, json: flags.has("json"), inputs };
}
