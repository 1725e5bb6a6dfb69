import { access } from "node:fs/promises";
import { join } from "node:path";
import { settingsFile } from "../../config/settings.ts";
import { fail, ok, warn, type Check } from "./check.ts";

export const settings: Check = {
  name: "settings",
  needed: true,
  async look({ repository, refused, fault, cwd }) {
    if (repository === null) {
      // Without git there is a line about git already.
      if (refused?.code !== "not_a_repository") return [];
      const seen = `${cwd} is in no git repository, so only the machine was looked at`;
      return [warn(seen, "cd to a repository, or make one: git init")];
    }
    if (fault !== null) return [fail(`${fault.message}; the lines below are about the defaults`, fault.hint)];
    const file = join(repository.root, settingsFile);
    const there = await access(file).then(
      () => true,
      () => false, // no file, which is allowed
    );
    return [ok(there ? file : `no ${settingsFile}, so the defaults hold; \`mettle init\` writes one`)];
  },
};
