import { fail, ok, type DoctorCheck } from "./check.ts";

/** The same as `engines` in package.json. */
export const oldestNode = "20.19.0";

export const node: DoctorCheck = {
  name: "node",
  needed: true,
  examine: async ({ nodeVersion }) => [
    isOlder(nodeVersion)
      ? fail(
          `${nodeVersion} is older than ${oldestNode}`,
          "nvm install 22, or get it from https://nodejs.org",
        )
      : ok(nodeVersion),
  ],
};

function isOlder(version: string): boolean {
  return version.localeCompare(oldestNode, "en", { numeric: true }) < 0;
}
