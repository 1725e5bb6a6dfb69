/** The token of the HTTP server, in a file of the state home that only this user may read. It stays the same. */
import { chmod, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../lib/errors.ts";
import { newToken } from "../lib/ids.ts";

export interface HttpToken {
  readonly file: string;
  readonly token: string;
}

export async function createOrLoadToken(home: string): Promise<HttpToken> {
  const file = join(home, "mcp-token");
  try {
    await mkdir(home, { recursive: true, mode: 0o700 });
    // The first process writes it, a concurrent one reads it.
    await writeFile(file, `${newToken()}\n`, { flag: "wx", mode: 0o600 }).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== "EEXIST") throw error;
      },
    );
    if (((await stat(file)).mode & 0o077) !== 0) await chmod(file, 0o600);
    const token = (await readFile(file, "utf8")).trim();
    if (token.length >= 32) return { file, token };
  } catch (cause) {
    throw new AppError("state_unwritable", `${file} cannot be made or read`, {
      hint: "Make the state home writable for this user, or set METTLE_HOME to a folder that is.",
      cause,
    });
  }
  throw new AppError("config_invalid", `${file} holds no token`, {
    hint: `Remove it; the next start makes a new one: rm ${file}`,
  });
}
