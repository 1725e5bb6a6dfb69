/** Rewrites Go and Rust files so that every function that a test reaches panics with the marker; see reach-script.ts. */
import { readCode, type Language } from "../../source/code-text.ts";
import { bodyStart } from "./function-body.ts";
import { rustTestBlocks } from "../../source/inline-tests.ts";
import type { RewriteRequest } from "./reach-script.ts";
import { closing } from "../../source/script.ts";

/** A file to rewrite, and the random word of its marker. */
type MarkedFile = Pick<RewriteRequest, "path" | "text"> & { readonly mark: string };

/** The stack shows whether a test called a function; code that runs before the tests works as usual. */
export function throwingGo({ path, text, mark }: MarkedFile): readonly { path: string; content: string }[] {
  const owner = /^package\s+(\w+)/m.exec(readCode(text, "go").code)?.[1];
  if (owner === undefined) return [];
  const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/") + 1) : "";
  const content = intoBodies(text, "go", (name) => ` mettleReached(${JSON.stringify(`${name} ${mark}`)});`);
  return [
    { path, content },
    { path: `${folder}mettle_reached.go`, content: `package ${owner}\n${goGuard}` },
  ];
}

const goGuard = `
// Written by Mettle for this check only: what a test calls panics.

import "runtime"

func mettleReached(name string) {
	places := make([]uintptr, 256)
	frames := runtime.CallersFrames(places[:runtime.Callers(2, places)])
	for {
		frame, more := frames.Next()
		if frame.Function == "testing.tRunner" {
			panic("not implemented: " + name)
		}
		if !more {
			return
		}
	}
}
`;

/** In a crate nothing runs before its tests. Code that the compiler evaluates is unchanged. */
export function throwingRust({ text, mark }: MarkedFile): string {
  return intoBodies(
    text,
    "rust",
    (name) => ` if core::hint::black_box(true) { todo!(${JSON.stringify(`${name} ${mark}`)}) }`,
  );
}

const functions: Readonly<Record<"go" | "rust", RegExp>> = {
  go: /^func\s*(?:\([^)]*\)\s*)?(\w+)\s*(?:\[[^\]]*\])?(?=\()/gm,
  rust: /(?<!\bconst\s+(?:unsafe\s+)?)\bfn\s+(\w+)\s*(?:<[^(]*>)?\s*(?=\()/g,
};

function intoBodies(
  text: string,
  language: Language & ("go" | "rust"),
  statement: (name: string) => string,
): string {
  const { code } = readCode(text, language);
  const tests = language === "rust" ? rustTestBlocks(text) : [];
  const isTest = (at: number) => tests.some(({ start, end }) => start <= at && at < end);
  const places = [...code.matchAll(functions[language])].flatMap((match) => {
    const name = match[1] ?? "";
    const body = bodyStart(code, closing(code, match.index + match[0].length) + 1);
    const isKept = (language === "go" && name === "init") || isTest(match.index);
    return body === null || isKept ? [] : [{ at: body + 1, name }];
  });
  let out = text;
  for (const { at, name } of places.toReversed())
    out = `${out.slice(0, at)}${statement(name)}${out.slice(at)}`;
  return out;
}
