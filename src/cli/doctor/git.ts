import { gitVersion } from "../../git/repository.ts";
import { AppError } from "../../lib/errors.ts";
import { fail, ok, type DoctorCheck } from "./check.ts";
import { installCommand } from "./install.ts";

export const git: DoctorCheck = {
  name: "git",
  needed: true,
  async examine({ path }) {
    try {
      return [ok(await gitVersion(path))];
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return [fail(error.message, await installCommand("git", path))];
    }
  },
};
