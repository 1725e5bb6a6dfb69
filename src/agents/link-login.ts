import { rm, symlink } from "node:fs/promises";

/** Puts the user's login file into a configuration home. Linked, not copied: a renewed token must not be lost to the user's own sessions. */
export async function linkLogin(credentials: string, place: string): Promise<void> {
  await rm(place, { force: true });
  await symlink(credentials, place);
}
