import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { newFolder } from "../../test/support/folder.ts";
import { programOf } from "../evidence/fixtures/run-native.ts";
import { cargo } from "../evidence/runners/cargo.ts";
import { go } from "../evidence/runners/go.ts";
import { unittest } from "../evidence/runners/unittest.ts";
import { goStubs } from "../source/stubs/go.ts";
import { pythonStubs } from "../source/stubs/python.ts";
import { rustStubs } from "../source/stubs/rust.ts";
import type { Stub } from "../source/stubs/script.ts";

let folder: string;
beforeEach(() => void (folder = newFolder()));

function write(files: Readonly<Record<string, string>>, stubs: readonly Stub[]): void {
  for (const [path, text] of [
    ...Object.entries(files),
    ...stubs.map((one) => [one.path, one.content] as const),
  ]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

function facts(
  files: Readonly<Record<string, string>>,
  tests: readonly string[],
  planned: readonly string[],
) {
  return {
    tests: tests.map((path) => ({ path, text: files[path] ?? "" })),
    planned,
    read: (path: string) => files[path],
  };
}

const python = await programOf(unittest);
test.skipIf(python === null)(
  "Python: modules, names, members, classes, constants and errors, when used and not before",
  () => {
    const files = {
      "shop/__init__.py": "",
      "shop/old.py": "from os import path as place\nRATE = 2\ndef old():\n    return 1\n",
      "tests/probe.py": `from shop.cart import total, Cart, CartError, MAX
from shop import deep, old
from shop.old import fresh, RATE, place
import src_less as plain
from .near import here

said = []
for call in [total, Cart, Cart.of, deep.run, fresh, plain.go, here, total.more]:
    try:
        call(1, a=2)
    except NotImplementedError as error:
        said.append(str(error))
print(said, MAX, issubclass(CartError, Exception), old.old(), RATE)
`,
    };
    const planned = [
      "shop/cart.py",
      "shop/deep.py",
      "shop/old.py",
      "src_less.py",
      "tests/near.py",
      "shop/unused.py",
    ];
    const stubs = pythonStubs(facts(files, ["tests/probe.py"], planned));
    expect(stubs.map(({ path, names }) => `${path}: ${names.join()}`)).toEqual([
      "shop/cart.py: total,Cart,CartError,MAX",
      "shop/deep.py: run",
      "shop/old.py: fresh",
      "tests/near.py: here",
      "src_less.py: go",
    ]);
    write(files, stubs);
    const ran = spawnSync(python?.path ?? "", ["-m", "tests.probe"], { cwd: folder, encoding: "utf8" });
    expect(ran.stdout.trim()).toBe(
      "['total', 'Cart', 'Cart.of', 'run', 'fresh', 'go', 'here', 'total'] None True 1 2",
    );
  },
);

test.skipIf(python === null)(
  "Python: a module of a package is no missing name, whatever it is called (PRV-22)",
  () => {
    const files = {
      "shop/__init__.py": "from .globals import rate\n",
      "shop/globals.py": "rate = 2\n",
      "shop/_compat.py": "",
      "probe.py": "from shop import _compat, rate, fresh\nprint(_compat is not None, rate)\n",
    };
    const stubs = pythonStubs(facts(files, ["probe.py"], ["shop/__init__.py", "shop/_compat.py"]));
    expect(stubs.map(({ path, names }) => `${path}: ${names.join()}`)).toEqual(["shop/__init__.py: fresh"]);
    write(files, stubs);
    const ran = spawnSync(python?.path ?? "", ["probe.py"], { cwd: folder, encoding: "utf8" });
    expect(`${ran.stdout}${ran.stderr}`.trim()).toBe("True 2");
  },
);

test("Python: a test imports the module beside it, as pytest runs it (PRV-22)", () => {
  const files = {
    "exercises/go/board.py": "class Board:\n    pass\n",
    "exercises/go/board_test.py": "from board import Board, WHITE\nimport missing\nmissing.call()\n",
    "missing.py": "def call():\n    return 1\n",
  };
  const planned = ["exercises/go/board.py", "exercises/go/missing.py"];
  const stubs = pythonStubs(facts(files, ["exercises/go/board_test.py"], planned));
  expect(stubs.map(({ path, names }) => `${path}: ${names.join()}`)).toEqual([
    "exercises/go/board.py: WHITE",
  ]);
});

test.skipIf(python === null)("Python: a late stub returns an object that throws when it is used", () => {
  const files = {
    "probe.py": `from cart import make
made = make(2)
for use in [lambda: made(), lambda: made == 1, lambda: made.total, lambda: len(made), lambda: made + 1]:
    try:
        use()
        print("used")
    except NotImplementedError as error:
        print(error)
`,
  };
  write(files, pythonStubs({ ...facts(files, ["probe.py"], ["cart.py"]), late: true }));
  const ran = spawnSync(python?.path ?? "", ["probe.py"], { cwd: folder, encoding: "utf8" });
  expect(ran.stdout.trim().split("\n")).toEqual(["make", "make", "make", "make", "make"]);
});

const golang = await programOf(go);
test.skipIf(golang === null)(
  "Go: functions with no, one and two results, types and packages, compile and panic",
  { tags: "ci", timeout: 60_000 },
  () => {
    const files = {
      "go.mod": "module example.com/shop\n\ngo 1.14\n",
      "cart/old.go": "package cart\n\nfunc Old() int { return 1 }\n",
      "cart/in_test.go": `package cart

import (
	"testing"
)

var (
	known = map[string]bool{"two": true}
)

func helper() int { return 2 }

func TestInside(t *testing.T) {
	if total(helper(), len("x")) != 3 {
		t.Error(Old())
	}
	if amount, ok := find(known); !ok {
		t.Error(amount)
	}
	reset()
}
`,
      "cart/out_test.go": `package cart_test

import (
	"testing"

	shop "example.com/shop/cart"
	"example.com/shop/price"
)

func TestOutside(t *testing.T) {
	value, err := price.Parse("2")
	if err != nil || value != 2 {
		t.Fatal(err.Error())
	}
	var one *price.Price
	if shop.Old() != 1 || one != nil {
		t.Error("old")
	}
}
`,
    };
    const given = facts(files, ["cart/in_test.go", "cart/out_test.go"], ["cart/cart.go", "price/price.go"]);
    const filesIn = (path: string) => Object.keys(files).filter((file) => dirname(file) === path);
    const stubs = goStubs({ ...given, module: "example.com/shop", filesIn });
    expect(stubs.map(({ path, names }) => `${path}: ${names.join()}`)).toEqual([
      "cart/cart.go: total,find,reset",
      "price/price.go: Parse,Price",
    ]);
    write(files, stubs);
    const env = {
      PATH: "/usr/bin:/bin",
      HOME: folder,
      ...go.env,
      ...golang?.env,
      ...go.envIn?.({ home: folder, cache: folder }),
    };
    const ran = spawnSync(golang?.path ?? "", ["test", "-vet=off", "./..."], {
      cwd: folder,
      env,
      encoding: "utf8",
    });
    expect(ran.stdout).toContain("panic: not implemented: total");
  },
);

const rust = await programOf(cargo);
const deep = process.env["METTLE_DEEP"] !== undefined;
test.skipIf(rust === null || !deep)(
  "Rust: functions, constructors, constants and undeclared modules compile and are to do",
  () => {
    const files = {
      "Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
      "src/lib.rs": "pub fn old() -> i32 { 1 }\n",
      "tests/cart.rs": `use shop::cart::{total, Cart as Basket, MAX};
use shop::{fresh, old};

#[test]
fn all() {
    assert_eq!(total(&[1, 2], "a", None), 3);
    assert_eq!(total(&[], "b", Some(2.5)), 0);
    assert_eq!(shop::cart::twice(old()), 2);
    let _made = shop::cart::Cart::new(1, "x");
    let _other: Option<Basket> = None;
    assert_eq!(fresh(), 1);
    assert_eq!(MAX, 5);
}
`,
    };
    const given = facts(files, ["tests/cart.rs"], ["src/cart.rs", "src/lib.rs"]);
    const stubs = rustStubs({ ...given, crate: "shop" });
    expect(stubs.map(({ path, names }) => `${path}: ${names.join()}`)).toEqual([
      "src/cart.rs: total,Cart,MAX,twice",
      "src/lib.rs: fresh,cart",
    ]);
    write(files, stubs);
    const env = {
      PATH: "/usr/bin:/bin",
      HOME: folder,
      ...cargo.env,
      ...rust?.env,
      CARGO_TARGET_DIR: join(folder, "out"),
    };
    const ran = spawnSync(rust?.path ?? "", ["test", "--offline"], { cwd: folder, env, encoding: "utf8" });
    expect(ran.stdout).toContain("not yet implemented: total");
  },
);
