/**
 * The schema of a `kind: machine` file. Everything is optional and may be `null`, because an extension contains only its
 * changes; compile.ts checks required keys after inheritance.
 */
import * as z from "zod";

const nameRule = "a letter, then letters, digits, _ or -";
const reserved = ["self", "back", "resume"];
const Name = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_-]*$/, nameRule)
  .refine((name) => !(name in Object.prototype), "this name is reserved");
const StateName = Name.refine(
  (name) => !reserved.includes(name),
  `${reserved.join(", ")} are targets, not names`,
);
const outcomeText = "[A-Za-z][A-Za-z0-9_-]*(?:\\.[A-Za-z0-9_-]+)?";
const Outcome = z
  .string()
  .regex(new RegExp(`^${outcomeText}$`), "WORD or WORD.hint")
  .refine((name) => !(name in Object.prototype), "this name is reserved");
const Target = z
  .string()
  .regex(
    new RegExp(`^(?:[A-Za-z][A-Za-z0-9_-]*|\\^{1,2}${outcomeText})$`),
    "a state, self, back, resume, ^OUT or ^^OUT",
  );
export const ProtocolName = z.string().regex(/^[a-z][a-z0-9-]*$/, "small letters, digits and hyphens");

/** Code without hint -> name of the payload schema; a single name applies to all codes of the state. */
const Payload = z.union([Name, z.record(Name, Name)]);
/** Number of reminders to an agent without a decision. */
const Reminders = z.int().min(1).max(10);

const Facts = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

const actionKeys = ["count", "reset", "set", "note", "open", "emit"] as const;
const Action = z
  .strictObject({
    count: Name.optional(),
    reset: z.union([Name, z.array(Name)]).optional(),
    set: Facts.optional(),
    note: z.string().optional(),
    open: z.string().optional(),
    emit: Name.optional(),
    to: z.enum(["siblings", "children"]).optional(),
  })
  .check(
    checkAlways((action, report) => {
      const named = actionKeys.filter((key) => action[key] !== undefined);
      if (named.length !== 1) report([], "an action has exactly one of these keys", actionKeys);
      if ((action["emit"] === undefined) !== (action["to"] === undefined))
        report([], "emit and to go together");
    }),
  );

const routeShape = {
  to: Target.optional(),
  do: z.array(Action).optional(),
  ctx: z.string().optional(),
  thread: z.enum(["continue", "fresh"]).optional(),
  reopen: Name.optional(),
};
const Route = z.union([Target, z.strictObject(routeShape)]);
const Routes = z.record(Outcome, Route);

const Counter = z.strictObject({
  // The checker refuses 0 and fractions, because it knows state and line (CORE-10).
  limit: z.number().optional(),
  from: z.union([z.literal(0), z.literal(1)]).optional(),
  scope: z.enum(["frame", "visit"]).optional(),
  same: z.boolean().optional(),
  over: Route.optional(),
});

const commonShape = {
  like: Name.optional(),
  on: Routes.optional(),
  errors: Routes.optional(),
  set: Facts.optional(),
  note: z.string().optional(),
  mode: z.string().optional(),
  phase: z.string().optional(),
  lock: Name.optional(),
};
const Join = z.array(Outcome).optional();
const Order = z.enum(["together", "one-by-one"]).optional();
const plainShape = {
  ...commonShape,
  dispatch: Name.optional(),
  reports: z.array(Outcome).min(1).optional(),
  params: z.array(z.enum(["S", "R", "C", "P", "CTX"])).optional(),
  ctx: z.string().optional(),
  thread: z
    .string()
    .regex(
      /^(fresh|continue|fork (parent\/)?[A-Za-z][A-Za-z0-9_-]*)$/,
      "fresh, continue, fork STATE or fork parent/STATE",
    )
    .optional(),
  sees: z.array(z.string()).optional(),
  writes: Name.optional(),
  template: z.string().optional(),
  reply: z.string().optional(),
  payload: Payload.optional(),
  check: Name.optional(),
  merge: Name.optional(),
  rebase: Name.optional(),
  ask: z.string().optional(),
  to: z.enum(["person", "parent"]).optional(),
  as: z.enum(["waiting", "escalated", "inconclusive", "failed"]).optional(),
  shows: z.array(z.string()).optional(),
  each: Name.optional(),
  machine: Name.optional(),
  order: Order,
  join: Join,
  first: Routes.optional(),
  keep: z.boolean().optional(),
  min: z.number().int().min(0).optional(),
  end: Outcome.optional(),
};

const common = [...Object.keys(commonShape), "events"];
/** The key of each kind of state -> its additional keys. */
const kindKeys = {
  dispatch: ["reports", "params", "ctx", "thread", "sees", "writes", "template", "reply", "payload"],
  check: [],
  merge: [],
  rebase: [],
  ask: ["to", "as", "shows"],
  parallel: ["order", "join", "first"],
  each: ["machine", "order", "join", "first", "keep", "min"],
  end: [],
} as const;
type Kind = keyof typeof kindKeys;
export const kinds = Object.keys(kindKeys).filter((key): key is Kind => Object.hasOwn(kindKeys, key));

const plain = z.strictObject(plainShape);
export interface StateText extends z.infer<typeof plain> {
  readonly parallel?: Readonly<Record<string, RegionText>> | undefined;
  readonly events?: Readonly<Record<string, HandlerText>> | undefined;
}
/** A state (short form), or `start` and `states` (long form). */
export interface RegionText extends StateText {
  readonly start?: string | undefined;
  readonly states?: Readonly<Record<string, StateText>> | undefined;
}
const routeObject = z.strictObject(routeShape);
/** A route, or a region that ends with `resume` or goes to a state of the machine. */
export type HandlerText = string | (z.infer<typeof routeObject> & Pick<RegionText, "start" | "states">);

const nested = {
  parallel: z.lazy(() => z.record(StateName, Region)).optional(),
  events: z.lazy(() => z.record(Name, Handler)).optional(),
};

const State: z.ZodType<StateText> = z
  .strictObject({ ...plainShape, ...nested })
  .check(checkAlways(refuseForeignKeys));

const Region: z.ZodType<RegionText> = z
  .strictObject({
    ...plainShape,
    ...nested,
    start: Name.optional(),
    states: z.record(StateName, State).optional(),
  })
  .check(
    checkAlways((region, report) => {
      if (!isLongForm(region)) return refuseForeignKeys(region, report);
      refuseBesideStates(Object.keys({ ...plainShape, ...nested }), region, report);
    }),
  );

const Handler: z.ZodType<HandlerText> = z.union([
  Target,
  z
    .strictObject({ ...routeShape, start: Name.optional(), states: z.record(StateName, State).optional() })
    .check(
      checkAlways((handler, report) => {
        if (isLongForm(handler)) refuseBesideStates(Object.keys(routeShape), handler, report);
      }),
    ),
]);

const Machine = z.strictObject({
  like: Name.optional(),
  abstract: z.boolean().optional(),
  session: z.string().optional(),
  start: Name.optional(),
  counters: z.record(Name, Counter).optional(),
  errors: Routes.optional(),
  events: z.record(Name, Handler).optional(),
  states: z.record(StateName, State).optional(),
});

const Role = z.strictObject({
  writes: Name.optional(),
  template: z.string().optional(),
  isolated: z.boolean().optional(),
  label: z.string().optional(),
  payload: Payload.optional(),
  reminders: Reminders.optional(),
});

export const MachineFile = z.strictObject({
  version: z.literal(1),
  protocol: ProtocolName,
  kind: z.literal("machine"),
  extends: ProtocolName.optional(),
  about: z.string().optional(),
  /** Settings of the command line and the referee, not of routing. */
  features: z.record(Name, z.boolean()).optional(),
  reminders: Reminders.optional(),
  roles: z.record(Name, Role).optional(),
  gates: z.record(Name, z.array(Outcome).min(1)).optional(),
  machines: z.record(Name, Machine).optional(),
});

export type MachineFile = z.infer<typeof MachineFile>;

/** A machine file before inheritance: a `null` under any key removes something of the base. */
export const MachineFileText = z.preprocess(withoutNulls, MachineFile);
/** For a file without a kind. */
export const KindlessFile = z.preprocess(
  withoutNulls,
  z.strictObject({ ...MachineFile.shape, kind: z.enum(["machine", "steps"]) }),
);

export type MachineText = z.infer<typeof Machine>;
export type RouteText = z.infer<typeof Route>;
export type RoutesText = z.infer<typeof Routes>;
export type ActionText = z.infer<typeof Action>;
export type CounterText = z.infer<typeof Counter>;
export type RoleText = z.infer<typeof Role>;

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (inner === null ? [] : [[key, withoutNulls(inner)]])),
  );
}

type Keys = Readonly<Record<string, unknown>>;
type Report = (path: readonly string[], message: string, allowed?: readonly string[]) => void;

function isLongForm(keys: Keys): boolean {
  return keys["start"] !== undefined || keys["states"] !== undefined;
}

function refuseBesideStates(keys: readonly string[], value: Keys, report: Report): void {
  for (const key of keys) {
    if (value[key] !== undefined)
      report([key], `${key} does not go with start and states`, ["start", "states"]);
  }
}

/** A state has one kind and only that kind's keys. With `like`, the kind is known only after inheritance. */
function refuseForeignKeys(state: Keys, report: Report): void {
  const named = kinds.filter((kind) => state[kind] !== undefined);
  const [kind, second] = named;
  if (second !== undefined)
    return report([second], `a state has one kind, not ${named.join(" and ")}`, kinds);
  if (kind === undefined || state["like"] !== undefined) return;
  const allowed = [kind, ...kindKeys[kind], ...common];
  for (const key of Object.keys(state)) {
    if (!allowed.includes(key) && (key in plainShape || key in nested))
      report([key], `${key} does not go with ${kind}`, allowed);
  }
}

/** A check that also runs if the mapping has other faults, so that all are reported together. */
function checkAlways(find: (value: Keys, report: Report) => void): z.core.$ZodCheck<object> {
  return z.core._check<object>(
    ({ value, issues }) => {
      if (value === null || typeof value !== "object") return;
      find(Object.fromEntries(Object.entries(value)), (path, message, allowed) => {
        issues.push({ code: "custom", path: [...path], message, input: value, params: { allowed } });
      });
    },
    { when: () => true },
  );
}
