/** `mettle keys list`: lists the keys that may sign records in the shared store, and those that were revoked. */
import type { EnrolledKey } from "../../journal/key-register.ts";
import { withHost } from "../../run/host.ts";
import type { CommandHandler } from "../command.ts";
import { keyJson, sharedRegister } from "./shared-register.ts";

export const run: CommandHandler = (io) =>
  withHost(io.cwd, async (host) => {
    const keys = await sharedRegister(host).list();
    const { id } = await host.ownKey();
    const width = Math.max(0, ...keys.map(({ name }) => name.length));
    const lines = keys.flatMap((key) => linesOf(key, key.id === id, width));
    const here = keys.find((key) => key.id === id);
    return {
      exit: 0,
      json: { keys: keys.map((key) => ({ ...keyJson(key), here: key.id === id })), key: id },
      text: [
        ...(keys.length === 0
          ? ["no key is enrolled: the first host that starts a run enrols its own"]
          : lines),
        ...(here === undefined ? [`not enrolled: the key of this host, ${id}`] : []),
      ].join("\n"),
    };
  });

function linesOf(
  { id, name, enrolled, revoked }: EnrolledKey,
  isHere: boolean,
  width: number,
): readonly string[] {
  return [
    `${name.padEnd(width)}  ${id}${isHere ? "  (this host)" : ""}`,
    `${" ".repeat(width)}  enrolled by ${enrolled.by} at ${enrolled.at}`,
    ...(revoked === null ? [] : [`${" ".repeat(width)}  revoked by ${revoked.by} at ${revoked.at}`]),
  ];
}
