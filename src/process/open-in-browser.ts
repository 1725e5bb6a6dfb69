/** Opens a file with the program that the user's desktop has for it; that program outlives this one. */
import { spawn } from "node:child_process";
import { findProgram } from "./find-program.ts";

export interface Desktop {
  readonly env: Readonly<Record<string, string>>;
  /** The user's PATH. */
  readonly path: string;
}

/** @returns whether a program was started; false without a desktop, for example over ssh */
export async function openInBrowser(file: string, { env, path }: Desktop): Promise<boolean> {
  const isMac = process.platform === "darwin";
  const hasScreen = isMac || env["DISPLAY"] !== undefined || env["WAYLAND_DISPLAY"] !== undefined;
  const opener = hasScreen ? await findProgram(isMac ? "open" : "xdg-open", path) : null;
  if (opener === null) return false;
  return new Promise((resolve) => {
    const child = spawn(opener, [file], { env, detached: true, stdio: "ignore" });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}
