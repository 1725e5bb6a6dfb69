/** What is uncommitted where a branch is checked out, as git tells the user: what their own rules ignore is none of it. */
import { checkoutOf, placeOf } from "./land.ts";
import { statusPaths, type Repository } from "./repository.ts";

/** Paths that differ from the commit, or are new; empty where nobody has the branch checked out. */
export async function uncommittedOn(repository: Repository, branch: string): Promise<readonly string[]> {
  const checkout = await checkoutOf(repository, branch);
  return checkout === null ? [] : statusPaths(placeOf(repository, checkout), checkout);
}
