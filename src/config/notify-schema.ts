/** `notify` of `mettle.yaml`: how people are told that a run waits, trips a breaker or has ended (SEE-09). */
import * as z from "zod";
import { storeVariable } from "./env.ts";

/** A variable keeps a secret address out of the file. */
const Address = z
  .string()
  .regex(
    /^(?:https?:\/\/[^\s/]\S*|\$[A-Za-z_][A-Za-z0-9_]*)$/,
    "an address beginning with https:// or http://, or $NAME for the variable of your environment that holds it",
  )
  .refine((address) => address !== `$${storeVariable}`, "the URL of the store is never passed on");

export const Notify = z
  .strictObject({
    /** Run by /bin/sh, with the facts as JSON on standard input. */
    command: z.string().min(1, "an empty command").optional(),
    desktop: z.boolean().optional(),
    /** Gets the facts as JSON. */
    webhook: Address.optional(),
    /** A topic of a push service such as ntfy: gets a text with a title and a link. */
    push: Address.optional(),
    /** The address where this user's page opens; `{run}` and `{ask}` are replaced. */
    link: z
      .string()
      .regex(/^https?:\/\/[^\s/]\S*$/, "an address that begins with https:// or http://")
      .optional(),
  })
  .refine(
    ({ command, desktop, webhook, push }) =>
      command !== undefined || desktop === true || webhook !== undefined || push !== undefined,
    "notify needs one of command, desktop: true, webhook and push",
  );
export type Notify = z.infer<typeof Notify>;
