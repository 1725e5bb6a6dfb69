import { expect, test } from "vitest";
import { closedSockets } from "./service-sockets.ts";

test("sockets of services outside of hidden folders are closed, if they still exist", () => {
  const entry = "ffff8881: 00000002 00000000 00010000 0001 01 12345";
  const lxd = "/var/snap/lxd/common/lxd/unix.socket";
  const paths = [lxd, lxd, "/var/lib/a b/sock", "/var/run/docker.sock", "/var/gone", "@/tmp/x", "/tmp/s"];
  const lines = [entry, ...paths.map((path) => `${entry} ${path}`)];
  const text = `Num RefCount Protocol Flags Type St Inode Path\n${lines.join("\n")}\n`;
  const realPath = (path: string) => (path === "/var/gone" ? null : path.replace("/var/run", "/run"));
  expect(closedSockets(["/run", "/tmp"], { text, realPath })).toEqual([
    { type: "closed", at: lxd },
    { type: "closed", at: "/var/lib/a b/sock" },
  ]);
});
