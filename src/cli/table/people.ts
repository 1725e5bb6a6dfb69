/** The commands for people and what they may decide. */
import { argument, option } from "../../lib/command-line/row.ts";
import type { MettleCommand } from "../command.ts";

const person = argument("name", "a person with a token, a user of the store, or * for everybody");
const scope = [
  option("repository GLOB", "in these repositories (default: all)"),
  option("gate GLOB", "these gates, or start, resume, abort, land, settings, people (default: all)"),
];

export const people: readonly MettleCommand[] = [
  {
    name: "people list",
    summary: "list who has a token, and what people may decide",
    inputs: [],
    load: () => import("../people/list.ts"),
  },
  {
    name: "people add",
    summary: "print a new token for a person, once",
    inputs: [argument("name", "the name that the journal gets")],
    load: () => import("../people/add.ts"),
  },
  {
    name: "people remove",
    summary: "end the token and the rules of a person",
    inputs: [argument("name", "the name of the person")],
    load: () => import("../people/remove.ts"),
  },
  {
    name: "people allow",
    summary: "let a person decide at gates",
    inputs: [person, ...scope],
    load: () => import("../people/allow.ts"),
  },
  {
    name: "people deny",
    summary: "keep a person from deciding at gates",
    inputs: [person, ...scope],
    load: () => import("../people/deny.ts"),
  },
];
