/** `mettle keys revoke NAME`: refuses the key for good, and with it every record that it signed. */
import { requirePerson } from "../../channel/person.ts";
import { withHost } from "../../run/host.ts";
import { operator } from "../../run/host-keys.ts";
import type { CommandHandler } from "../command.ts";
import { keyJson, sharedRegister } from "./shared-register.ts";

export const run: CommandHandler = async (io, given) => {
  requirePerson();
  return withHost(io.cwd, async (host) => {
    const register = sharedRegister(host);
    const { id } = await host.ownKey();
    const key = await register.revoke(given.need("name"), id, operator());
    const text = [
      `revoked ${key.name}, ${key.id}`,
      "its records are refused from now on, also those from before: only the key itself says when they were made",
    ];
    return { exit: 0, json: keyJson(key), text: text.join("\n") };
  });
};
