/** The register of keys, for the commands that list, enrol and revoke. */
import { userInfo } from "node:os";
import { currentHost } from "../../config/owner.ts";
import { pemOf } from "../../evidence/public-key.ts";
import type { SigningKey } from "../../evidence/keys.ts";
import { keyNameOf, type EnrolledKey, type KeyRegister, type NamedKey } from "../../journal/key-register.ts";
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

/** The key of this host, under the name that it gets when it is the first one. */
export function keyOfHost({ id, publicKey }: SigningKey): NamedKey {
  return { id, name: keyNameOf(currentHost().name), publicKey: pemOf(publicKey) };
}

/** Who enrols or revokes, as the register keeps it. */
export function operator(): string {
  return `${userInfo().username}@${currentHost().name}`;
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
