import { expect, test } from "vitest";
import { sharedName } from "./shared-name.ts";

test("one repository has one name, however its clones reach it", () => {
  for (const remote of [
    "git@github.com:acme/shop.git",
    "github.com:acme/shop",
    "github.com:/acme/shop.git",
    "ssh://git@GitHub.com/acme/shop.git",
    "ssh://git@github.com:22/acme/shop",
    "git+ssh://github.com/acme/shop.git",
    "https://github.com/acme/shop",
    "https://me:secret@github.com:443/acme//shop.git/",
    "http://github.com/acme/shop.git?x=1#y",
    "git://github.com:9418/acme/shop.git",
  ])
    expect([remote, sharedName(remote)]).toEqual([remote, "github.com/acme/shop"]);
  expect([
    sharedName("https://git.example.org:8443/Acme/Shop.git"),
    sharedName("ssh://git@git.example.org:2222/~me/shop"),
    sharedName("git@[::1]:shop.git"),
  ]).toEqual(["git.example.org:8443/Acme/Shop", "git.example.org:2222/~me/shop", "[::1]/shop"]);
});

test("what other hosts do not reach gives no name", () => {
  for (const remote of [
    "",
    "/srv/git/shop.git",
    "../shop",
    "./a:b",
    "C:/git/shop",
    "C:\\git\\shop",
    "file:///srv/git/shop.git",
    "ext::ssh host shop",
    "https://github.com/",
    "https://",
    "git@host:two\nlines",
  ])
    expect([remote, sharedName(remote)]).toEqual([remote, null]);
});
