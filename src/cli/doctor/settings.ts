import { access } from "node:fs/promises";
import { join } from "node:path";
import { settingsFile } from "../../config/settings-file.ts";
import { fail, ok, type DoctorCheck } from "./check.ts";

export const settings: DoctorCheck = {
  name: "settings",
  needed: true,
  async examine({ repository, settingsError }) {
    if (repository === null) return [];
    if (settingsError !== null)
      return [fail(`${settingsError.message}; the lines below use the defaults`, settingsError.hint)];
    const there = await access(join(repository.root, settingsFile)).then(
      () => true,
      () => false, // no file, which is allowed
    );
    return [
      ok(there ? settingsFile : `no ${settingsFile}, so the defaults apply; \`mettle init\` writes one`),
    ];
  },
};
