import { rm, symlink } from "node:fs/promises";

/** Links the user's login file into a configuration home. A copy would hide a renewed token from the user's own sessions. */
export async function linkLogin(credentials: string, place: string): Promise<void> {
  await rm(place, { force: true });
  await symlink(credentials, place);
}
