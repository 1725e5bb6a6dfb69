/** What a repository is called in the state home. */
import { basename } from "node:path";
import { smallSha256 } from "../lib/small-sha256.ts";

/**
 * `<name>-<8 hex>`
 * @param root top level of the main checkout
 * @param gitDir the common git directory
 */
export function repositoryId(root: string, gitDir: string): string {
  return `${repositoryName(root)}-${smallSha256(gitDir).slice(0, 8)}`;
}

/** The part of it that a person knows. */
export function repositoryName(root: string): string {
  const name = basename(root)
    .replace(/[^A-Za-z0-9_-]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 40);
  return name === "" ? "repository" : name;
}
