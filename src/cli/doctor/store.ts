/** Looks at the shared store, and at what `mettle.yaml` says of it. Creates nothing in either. */
import { urlOf } from "../../config/store-place.ts";
import type { Store } from "../../config/store-schema.ts";
import { refuseOtherStore, sharedNameOf } from "../../git/settle-store.ts";
import { hasStore } from "../../journal/home-store.ts";
import type { StateHome } from "../../config/home.ts";
import type { Repository } from "../../git/repository.ts";
import { storeUrl } from "../../config/env.ts";
import { ok, type DoctorCheck } from "./check.ts";

const patienceMs = 3000;

export const store: DoctorCheck = {
  name: "store",
  needed: true,
  async examine({ repository, home, settings }) {
    if (repository === null || home === null) return [];
    if (hasStore(home)) refuseOtherStore(home, settings.store);
    const name = await nameIn(home, repository, settings.store);
    if (name === null) return [];
    const url = urlOf({ kind: "postgres", repository: name, home: "", url: storeUrl() });
    const { findPostgres } = await import("../../journal/postgres/store.ts");
    const { place, server, tables } = await findPostgres({ url, patienceMs });
    const note = {
      missing: "; its tables are made when needed",
      old: "; its tables are migrated when needed",
      current: "",
    };
    return [ok(`PostgreSQL ${server} at ${place}, this repository is ${name}${note[tables]}`)];
  },
};

/** The repository's name in the shared store, also before the first run; null: its runs are local. */
async function nameIn(
  home: StateHome,
  repository: Repository,
  stated: Store | undefined,
): Promise<string | null> {
  if (home.store.kind === "postgres") return home.store.repository;
  return stated?.kind === "postgres" ? sharedNameOf(repository, stated) : null;
}
