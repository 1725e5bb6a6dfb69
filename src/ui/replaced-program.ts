/** Notices that the program was upgraded while its server runs: then parts of two versions would decide (SEE-06). */
import { AppError } from "../lib/errors.ts";
import { fileStamp } from "../lib/files.ts";

export interface Program {
  /** Once true, it stays true. */
  isReplaced(): boolean;
  /** @throws program_replaced */
  refuseReplaced(): void;
}

/** @param files that every upgrade writes anew */
export function watchProgram(files: readonly string[]): Program {
  const before = stampOf(files);
  let isReplaced = false;
  const look = (): boolean => (isReplaced ||= stampOf(files) !== before);
  return {
    isReplaced: look,
    refuseReplaced() {
      if (look())
        throw new AppError("program_replaced", "Mettle was upgraded since this page's server started", {
          hint: "end `mettle ui` with Ctrl-C, start it again, and open the address that it prints",
        });
    },
  };
}

function stampOf(files: readonly string[]): string {
  return files.map(fileStamp).join(" ");
}
