/** `store` of `mettle.yaml`: where the runs of the repository are stored. Its URL is only in the environment. */
import * as z from "zod";
import { storeVariable } from "./env.ts";

/** What a worker has or a repository needs. */
export const Label = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/, "a label has letters, digits and . _ -, at most 40");

const SharedStore = z.strictObject({
  kind: z.literal("postgres"),
  /** The repository's name in the store; default: host and path of its remote. */
  repository: z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9._/:-]{0,199}$/,
      "a name such as acme/shop: letters, digits and . _ / : -, at most 200",
    )
    .optional(),
});

/** As a run stores it; absent: local. */
export const Store = z.union([SharedStore, z.strictObject({ kind: z.literal("local") })]);
export type Store = z.infer<typeof Store>;

const plain = ["local", "postgres"] as const;

/** A URL is looked for first: other messages would quote it. */
export const StoreFile = z
  .unknown()
  .refine(
    (given) => !holdsUrl(given),
    `a URL is never in this file: set the variable ${storeVariable} instead`,
  )
  .refine(
    (given) => typeof given !== "string" || holdsUrl(given) || plain.some((kind) => kind === given),
    "local, postgres, or { kind: postgres, repository: acme/shop }",
  )
  .pipe(z.union([z.enum(plain), SharedStore]))
  .transform((given): Store => (typeof given === "string" ? { kind: given } : given));

function holdsUrl(given: unknown): boolean {
  return /:\/\/|@/u.test(JSON.stringify(given) ?? "");
}
