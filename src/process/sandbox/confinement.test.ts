import { expect, test } from "vitest";
import { confinedCall, type Rule } from "./confinement.ts";

const call = (rules: readonly Rule[]): string =>
  confinedCall(
    { bubblewrap: "/usr/bin/bwrap", rules, hidden: [] },
    { file: "claude", argv: ["--print"] },
    "/s/w",
  ).argv.join(" ");

test("runs the program without capabilities, in its own namespaces, on a read-only machine", () => {
  expect(call([])).toBe(
    "--unshare-user --uid 1000 --gid 1000 --cap-drop ALL --disable-userns --unshare-pid --unshare-ipc --unshare-uts " +
      "--die-with-parent --new-session --ro-bind / / --dev /dev --proc /proc " +
      ["sys", "bus", "fs", "irq", "sysrq-trigger"]
        .map((name) => `--ro-bind-try /proc/${name} /proc/${name} `)
        .join("") +
      "--chdir /s/w -- claude --print",
  );
});

test("the deeper path wins, for the same path the later rule, and hidden folders stay empty", () => {
  expect(
    call([
      { type: "writable", at: "/s/w" },
      { type: "readable", at: "/s/w/test" },
      { type: "hidden", at: "/s" },
      { type: "hidden", at: "/s/w" },
      { type: "scratch", at: "/tmp" },
      { type: "writable", at: "/s/w" },
      { type: "readable", at: "/s/w/.git", from: "/s/g" },
    ]),
  ).toContain(
    "/proc/sysrq-trigger --tmpfs /s --bind /s/w /s/w --ro-bind /s/g /s/w/.git --ro-bind /s/w/test /s/w/test --tmpfs /tmp --remount-ro /s --chdir",
  );
});

test("a closed file is covered, unless its folder is hidden", () => {
  const closed = call([
    { type: "closed", at: "/etc/shadow" },
    { type: "hidden", at: "/s" },
    { type: "closed", at: "/s/key" },
  ]);
  expect(closed).toContain(" --ro-bind /dev/null /etc/shadow --tmpfs /s --remount-ro /s --chdir");
});

test("a link is created only in an empty folder", () => {
  const links = call([
    { type: "hidden", at: "/home" },
    { type: "link", at: "/home/me/bin", to: "/data/bin" },
    { type: "link", at: "/home/me/bin/tool", to: "/data/tool" },
    { type: "readable", at: "/home/me/lib" },
    { type: "link", at: "/home/me/lib/old", to: "/home/me/lib/new" },
    { type: "link", at: "/opt/tool", to: "/data/tool" },
  ]);
  expect(links.match(/--symlink \S+ \S+/gu)).toEqual(["--symlink /data/bin /home/me/bin"]);
});

test("with a loopback only, as another user, and with variables that bubblewrap must not read", () => {
  const { argv } = confinedCall(
    {
      bubblewrap: "/usr/bin/bwrap",
      rules: [],
      hidden: [],
      network: "loopback",
      user: { uid: 1001, gid: 100 },
      variables: { LD_PRELOAD: "./a.so" },
    },
    { file: "node", argv: ["--test"] },
    "/s/w",
  );
  const text = argv.join(" ");
  expect(text).toMatch(
    /^--unshare-user --uid 1001 --gid 100 --cap-drop ALL .* --unshare-net --die-with-parent /u,
  );
  expect(text).toMatch(/ --setenv LD_PRELOAD [.]\/a[.]so --chdir \/s\/w -- node --test$/u);
});
