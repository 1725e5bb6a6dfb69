import { AppError } from "../lib/errors.ts";

/** Refuses an unsupported system (CORE-102). Every command calls it first. @throws platform_unsupported */
export function assertPlatform(platform: string = process.platform): void {
  if (platform === "linux" || platform === "darwin") return;
  throw new AppError(
    "platform_unsupported",
    `Mettle does not run on ${platform === "win32" ? "native Windows" : platform}`,
    {
      hint:
        platform === "win32"
          ? "Use WSL 2: `wsl --install`, then install and run Mettle inside it."
          : "Use Linux or macOS.",
      detail: { platform },
    },
  );
}

/** Whether agents store logins where Mettle cannot read them: the keychain of macOS. */
export function hidesLogins(platform: string = process.platform): boolean {
  return platform === "darwin";
}
