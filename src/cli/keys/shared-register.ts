/** The register of keys, for the commands that list, enrol and revoke. */
import type { EnrolledKey, KeyRegister } from "../../journal/key-register.ts";
import { AppError } from "../../lib/errors.ts";
import type { OpenHost } from "../../run/host.ts";

/** @throws store_not_shared */
export function sharedRegister({ register }: Pick<OpenHost, "register">): KeyRegister {
  if (register !== null) return register;
  throw new AppError(
    "store_not_shared",
    "the runs of this repository are in a local store, which enrols no keys",
    {
      hint: "All records are signed with the key of this state home; `mettle keys show` prints it. `store: postgres` in mettle.yaml shares runs between hosts.",
    },
  );
}

export function keyJson({ id, name, enrolled, revoked }: EnrolledKey) {
  return {
    name,
    key: id,
    enrolled_by: enrolled.by,
    enrolled_at: enrolled.at,
    revoked_by: revoked?.by ?? null,
    revoked_at: revoked?.at ?? null,
  };
}
