/**
 * Who decides, and whether that person may (SCL-09). Every decision of a person is journaled through `Session`, which calls this for
 * each append; what has no event yet, a start or a landing, calls it directly.
 */
import { personToken } from "../../config/env.ts";
import { AppError } from "../../lib/errors.ts";
import { sha256 } from "../../lib/hash.ts";
import { isPermitted, permittedPeople, type People } from "../../journal/people/people.ts";
import type { By } from "../../log/by.ts";
import { openAsks } from "../../log/open-asks.ts";
import type { RunEvent } from "../../log/run-event.ts";
import type { RunView } from "../../log/run-view.ts";

/** How a person was identified. */
export interface Identified {
  readonly who: string;
  /** `host`: the user of the operating system, where the store is local. */
  readonly as: "host" | "store" | "token";
}

export interface Permits {
  /** Where they decide, as the store names it. */
  readonly repository: string;
  /** @throws token_unknown */
  identify(): Promise<Identified>;
  /** @param gates all of them @throws not_permitted, token_unknown */
  assert(gates: readonly string[]): Promise<Identified>;
}

/** @param repository as the store names it */
export function permits(people: People, repository: string): Permits {
  const identify = async (): Promise<Identified> => {
    const token = personToken();
    if (token === null) return { who: await people.user(), as: people.isLocal ? "host" : "store" };
    const who = await people.named(tokenHash(token));
    if (who !== null) return { who, as: "token" };
    throw new AppError(
      "token_unknown",
      "the token in METTLE_PERSON_TOKEN belongs to no person of this store",
      {
        hint: "`mettle people add NAME` prints a new one; without the variable the user of the store counts",
      },
    );
  };
  return {
    repository,
    identify,
    async assert(gates) {
      const [identified, rules] = await Promise.all([identify(), people.rules()]);
      const { who } = identified;
      const refused = gates.find((gate) => !isPermitted(rules, { person: who, repository, gate }));
      if (refused === undefined) return identified;
      const may = permittedPeople(rules, { repository, gate: refused });
      throw new AppError("not_permitted", `${who} may not decide ${refused} in ${repository}`, {
        hint: `${mayText(may)}; \`mettle people list\` has the rules. Nothing was changed.`,
        detail: { person: who, repository, gate: refused, may },
      });
    },
  };
}

export function tokenHash(token: string): string {
  return sha256(token);
}

function mayText(may: readonly string[]): string {
  if (may.length === 0) return "no person may";
  return `who may: ${may.map((name) => (name === "*" ? "everybody else" : name)).join(", ")}`;
}

/** The events with the person as the store knows them, if that person may do what they say. @throws not_permitted, token_unknown */
export async function permittedEvents(
  { assert }: Permits,
  events: readonly RunEvent[],
  view: RunView,
): Promise<readonly RunEvent[]> {
  if (!events.some(isOfPerson)) return events;
  const decisions = events.filter(isOfPerson);
  const isAnswer = decisions.some(({ type }) => type === "result");
  const { who, as } = await assert([
    ...new Set(decisions.flatMap((event) => gatesOf(event, view, isAnswer))),
  ]);
  // The program itself read the user of the operating system.
  if (as === "host") return events;
  const known = { who, as };
  return events.map((event) => (isOfPerson(event) ? named(event, known) : event));
}

function named(event: OfPerson, known: Pick<By, "who" | "as">): RunEvent {
  return Object.assign({}, event, { by: { ...event.by, ...known } });
}

type OfPerson = Extract<RunEvent, { readonly by?: By | undefined }> & { readonly by: By };

/** What the command line, the demo and Mettle itself decide is no person's. */
function isOfPerson(event: RunEvent): event is OfPerson {
  if (!("by" in event) || typeof event.by !== "object") return false;
  return ["tty", "file", "page", "session"].includes(event.by.answeredBy);
}

/** @param isBesideResult the event belongs to an answer, whose gate counts */
function gatesOf(event: OfPerson, view: RunView, isBesideResult: boolean): readonly string[] {
  switch (event.type) {
    case "result":
      return [gateName(event.key)];
    case "question.answered":
      return openGates(view, "answered");
    case "base.accepted":
      return ["base"];
    case "run.aborted":
    case "node.aborted":
      return ["abort"];
    case "settings.changed":
      return ["settings"];
    case "landed":
      return ["land"];
    default:
      return isBesideResult ? [] : ["resume"];
  }
}

/** `user_gate_plan` of `user_gate_plan#2`; of a node's command the last part. */
export function gateName(key: string): string {
  return (key.split("/").at(-1) ?? key).replace(/#\d+$/u, "");
}

/** The open asks that one of these answers settles. */
function openGates(view: RunView, answer: string): readonly string[] {
  return openAsks(view)
    .filter(({ answers }) => answers.includes(answer))
    .map(({ key }) => gateName(key));
}
