/** Tests of Go and Rust that do not compile or that panic because the unit is missing (faults R4, R5, R6). */
import { expect, test } from "vitest";
import { proofProject, type ProofProject } from "../../test/proof-project.ts";
import { refusalReasons, otherFailures } from "../../test/red-answers.ts";
import { wide } from "../../test/wide.ts";
import { programOf } from "../evidence/fixtures/run-native.ts";
import { cargo } from "../evidence/runners/cargo.ts";
import { go } from "../evidence/runners/go.ts";
import type { Runner } from "../evidence/runner.ts";

const projects: ProofProject[] = [];

interface Compiled {
  readonly runner: Runner;
  readonly paths: { readonly tests: readonly string[]; readonly source: readonly string[] };
  readonly base: Readonly<Record<string, string>>;
  readonly planned: readonly string[];
  readonly tests: Readonly<Record<string, string>>;
  readonly accepted: readonly string[];
  readonly refused: Readonly<Record<string, RegExp>>;
  /** A test with its own mistake beside a right one, and the expected message. */
  readonly mistake: readonly [path: string, text: string, why: RegExp];
}

const goBase = {
  "go.mod": "module example.com/mux\n\ngo 1.18\n",
  "mux.go": `package mux

type Router struct{ routes []string }

func NewRouter() *Router { return &Router{} }

func (r *Router) Get(name string) *Router {
	if name == "" {
		return r.at(5)
	}
	return nil
}

func (r *Router) at(i int) *Router { _ = r.routes[i]; return r }

func Vars(path string) map[string]string { return nil }
`,
  "mux_test.go": `package mux

import "testing"

func TestOld(t *testing.T) {
	t.Parallel()
	if NewRouter() == nil {
		t.Error("nil")
	}
}
`,
};

const rustLibrary = `//! A shop.
#![deny(missing_docs, missing_debug_implementations, warnings)]
#![forbid(unsafe_code)]

/// Routes.
#[derive(Debug)]
pub struct Router;

/// The first word.
pub fn first(text: &str) -> Option<&str> {
    if text == "!" {
        panic!("no word");
    }
    None
}
`;

const compiled: readonly Compiled[] = [
  {
    runner: go,
    paths: { tests: ["**/*_test.go"], source: ["**/*.go"] },
    base: goBase,
    planned: ["mux.go", "slug/slug.go"],
    tests: {
      // Beside an old test, in the same package.
      "mux_test.go": `${goBase["mux_test.go"]}
type probe struct{ t *testing.T }

func (p probe) check(ok bool) {
	if !ok {
		p.t.Fatal("no")
	}
}

func TestMissingMethod(t *testing.T) {
	r := NewRouter()
	r.UseEncodedPath(true)
	probe{t}.check(r.encoded)
}

func TestResultAsBool(t *testing.T) {
	if IsStrict("a") {
		t.Fatal("strict")
	}
}

func TestMoreArguments(t *testing.T) {
	if Vars("a", true) != nil {
		t.Fatal("vars")
	}
}

func TestNilResult(t *testing.T) {
	if NewRouter().Get("a").Get("").routes[0] != "a" {
		t.Fatal("route")
	}
}

func TestCrash(t *testing.T) {
	if NewRouter().Get("") != nil {
		t.Fatal("route")
	}
}

func TestOwnPanic(t *testing.T) {
	if 1 != 1 {
		t.Fatal("never")
	}
	panic("boom")
}
`,
      "slug/slug_test.go": `package slug_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/mux/slug"
)

func parts(t *testing.T, o slug.Options) []string {
	t.Helper()
	return slug.Split("a b", o)
}

func TestSliceAndType(t *testing.T) {
	for _, part := range parts(t, slug.Options{Lower: true}) {
		if strings.ToUpper(part) == part {
			t.Error(fmt.Sprint(part))
		}
	}
}

func TestTypedArgument(t *testing.T) {
	if strings.Contains(slug.Make("a b"), " ") {
		t.Error("blank")
	}
}
`,
    },
    accepted: [
      "TestCrash",
      "TestMissingMethod",
      "TestMoreArguments",
      "TestNilResult",
      "TestResultAsBool",
      "TestSliceAndType",
      "TestTypedArgument",
    ],
    mistake: [
      "slug/slug_test.go",
      'package slug_test\n\nimport (\n\t"testing"\n\n\t"example.com/mux/slug"\n)\n\nfunc TestRight(t *testing.T) {\n\tif slug.Is("a") {\n\t\tt.Error()\n\t}\n}\n\nfunc TestTypo(t *testing.T) {\n\tt.Eror(slug.Is("a"))\n}\n',
      /slug_test\.go:16: t\.Eror undefined .*: no planned file explains this/,
    ],
    refused: { TestOwnPanic: /^throws in the test itself at mux_test\.go:.*: boom/ },
  },
  {
    runner: cargo,
    paths: { tests: ["tests/"], source: ["src/"] },
    base: {
      "Cargo.toml": '[package]\nname = "my-shop"\nversion = "0.1.0"\nedition = "2021"\n',
      "src/lib.rs": rustLibrary,
      "tests/old.rs": '#[test]\nfn old() {\n    assert_eq!(my_shop::first("a"), None);\n}\n',
    },
    planned: ["src/lib.rs", "src/cart.rs"],
    tests: {
      // Inline, as is usual in Rust.
      "src/lib.rs": `${rustLibrary}
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inline_of_a_missing_function() {
        assert_eq!(count("a b"), 2);
    }

    #[test]
    fn inline_of_a_missing_method() {
        assert_eq!(Router.depth(), 1);
    }

    #[test]
    fn inline_own_panic() {
        assert_eq!(1, 1);
        let none: Option<i32> = None;
        none.unwrap();
    }
}
`,
      "tests/new.rs": `use my_shop::cart::{is_empty, list, total, Cart};
use my_shop::{first, Router, ToTrain};

fn check(n: i32) -> bool {
    is_empty(n)
}

#[test]
fn compared() {
    assert_eq!(total(&[2, 3]), 5);
}

#[test]
fn result_as_bool() {
    assert!(is_empty(1));
}

#[test]
fn through_a_helper() {
    assert!(check(2));
}

#[test]
fn iterated() {
    for one in list(1) {
        let n: i32 = one;
        assert_eq!(n, 1);
    }
}

#[test]
fn missing_method() {
    let router = Router;
    assert_eq!(router.len(), 1);
}

#[test]
fn field_of_a_planned_type() {
    let cart = Cart::new();
    assert_eq!(cart.items.len(), 0);
}

#[test]
fn more_arguments() {
    assert_eq!(first("a", true), None);
}

#[test]
fn method_of_a_planned_trait() {
    assert_eq!("a b".to_train(), "A-B");
}

#[test]
fn unwrapped() {
    assert_eq!(first("a").unwrap(), "a");
}

#[test]
fn crash() {
    assert_eq!(first("!"), None);
}

#[test]
fn own_panic() {
    assert_eq!(1, 1);
    let none: Option<i32> = None;
    none.unwrap();
}
`,
    },
    accepted: [
      "compared",
      "crash",
      "field_of_a_planned_type",
      "inline_of_a_missing_function",
      "inline_of_a_missing_method",
      "iterated",
      "method_of_a_planned_trait",
      "missing_method",
      "more_arguments",
      "result_as_bool",
      "through_a_helper",
      "unwrapped",
    ],
    mistake: [
      "tests/new.rs",
      "use my_shop::cart::is_empty;\n\n#[test]\nfn right() {\n    assert!(is_empty(1));\n}\n\n#[test]\nfn typo() {\n    asert(is_empty(1));\n}\n",
      /tests\/new\.rs:10: cannot find function `asert` in this scope: no planned file explains this/,
    ],
    refused: {
      own_panic: /^throws in the test itself at tests\/new\.rs:.*unwrap/,
      inline_own_panic: /^throws in the test itself at src\/lib\.rs:.*unwrap/,
    },
  },
];

for (const {
  runner,
  paths,
  base,
  planned: files,
  tests: written,
  accepted,
  refused: kept,
  mistake,
} of compiled) {
  const isHere = (await programOf(runner)) !== null;
  test.skipIf(!isHere || (runner === cargo && !wide))(
    `${runner.name}: tests that do not compile for want of the unit are RED, old ones beside them run, mistakes do not pass`,
    { tags: "ci", timeout: 180_000 },
    async () => {
      const project = await proofProject(base);
      projects.push(project);
      const settings = { paths };
      const red = await project.red(await project.commitOn(project.base, written), {
        settings,
        planned: files,
      });
      const refusals = refusalReasons(red);
      const fresh = red.required.map((id) => id.split("::").at(-1) ?? id);
      expect(fresh.filter((name) => refusals[name] === null).toSorted()).toEqual(accepted);
      for (const [name, why] of Object.entries(kept)) expect(refusals[name]).toMatch(why);
      expect(otherFailures(red)).toEqual([]);
      const [path, text, why] = mistake;
      const wrong = await project.red(await project.commitOn(project.base, { [path]: text }), {
        settings,
        planned: files,
      });
      expect(wrong.verdict.checks.find(({ name }) => name === "load")?.reason).toMatch(why);
    },
  );
}
