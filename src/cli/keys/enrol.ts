/** `mettle keys enrol NAME [FILE]`: lets a worker's key sign records in the shared store. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { requirePerson } from "../../channel/person.ts";
import { keyId } from "../../evidence/keys.ts";
import { pemOf, readPublicKey } from "../../evidence/public-key.ts";
import { assertKeyName, type NamedKey } from "../../journal/key-register.ts";
import { AppError } from "../../lib/errors.ts";
import { withHost } from "../../run/host.ts";
import { keyOfHost, operator } from "../../run/host-keys.ts";
import type { CommandHandler, Io } from "../command.ts";
import { keyJson, sharedRegister } from "./shared-register.ts";

export const run: CommandHandler = async (io, given) => {
  requirePerson();
  const name = given.need("name");
  assertKeyName(name);
  const file = given.text("file");
  const other = file === null ? null : await keyFrom(io, file, name);
  return withHost(io.cwd, async (host) => {
    const register = sharedRegister(host);
    const own = keyOfHost(await host.ownKey());
    const before = await register.find(own.id);
    const key = await register.enrol(other ?? { ...own, name }, own, operator());
    if (other !== null && before === null && (await register.find(own.id)) !== null && other.id !== own.id)
      io.warn(`note: no key could sign, so the key of this host was enrolled too, as ${own.name}`);
    return { exit: 0, json: keyJson(key), text: `enrolled ${key.name}, ${key.id}` };
  });
};

/** @throws usage, key_invalid */
async function keyFrom(io: Io, file: string, name: string): Promise<NamedKey> {
  const publicKey = readPublicKey(await readGiven(io, file), file === "-" ? "standard input" : file);
  return { id: keyId(publicKey), name, publicKey: pemOf(publicKey) };
}

async function readGiven(io: Io, file: string): Promise<string> {
  if (file === "-") return textOf(process.stdin);
  return readFile(resolve(io.cwd, file), "utf8").catch((cause: unknown) => {
    throw new AppError("usage", `${file} cannot be read`, {
      hint: "Name the file with the output of `mettle keys show` from the host of the key, or - for standard input.",
      cause,
    });
  });
}
