/** The public names of Python, Go and Rust files with their parameters, by each language's own rules. */
import { assertNever } from "../lib/assert-never.ts";
import type { Language } from "./code-text.ts";
import { closing } from "./script.ts";
import { splitTop, squeeze } from "./interface-text.ts";

/** @param code the text without strings and comments */
export function publicNames(language: Language, code: string): readonly string[] {
  switch (language) {
    case "python":
      return python(code);
    case "go":
      return go(code);
    case "rust":
      return rust(code);
    default:
      return assertNever(language);
  }
}

/** Top-level functions and classes without a leading `_`, and the methods of those classes; in Python parameter names count. */
function python(code: string): readonly string[] {
  let current = "";
  return [...code.matchAll(/^([ \t]*)(?:async[ \t]+)?(def|class)[ \t]+(\w+)/gm)].flatMap((match) => {
    const [whole, indent = "", kind = "", name = ""] = match;
    const isHidden = name.startsWith("_") && !/^__(?:init|call)__$/.test(name);
    if (kind === "class" && indent === "") {
      current = isHidden ? "" : name;
      return isHidden ? [] : [`class ${name}`];
    }
    if (kind !== "def" || isHidden) return [];
    if (indent === "") current = "";
    else if (current === "" || indent.length > 4) return [];
    const open = code.indexOf("(", match.index + whole.length);
    const list = splitTop(code.slice(open + 1, closing(code, open)), ",").map((part) => {
      const [declared = "", ...standard] = splitTop(part, "=");
      return `${squeeze(declared.split(":")[0] ?? "")}${standard.length > 0 ? "=" : ""}`;
    });
    return [
      `${current === "" ? "" : `${current}.`}${name}(${list.filter((one) => one !== "self").join(", ")})`,
    ];
  });
}

function go(code: string): readonly string[] {
  const functions = [...code.matchAll(/^func[ \t]*(\([^)]*\)[ \t]*)?([A-Z]\w*)[ \t]*(\[[^\]]*\])?\(/gm)].map(
    (match) => {
      const open = match.index + match[0].length - 1;
      const end = closing(code, open);
      const result = /^[^{\n]*/.exec(code.slice(end + 1))?.[0] ?? "";
      const on = /(\*?\w+)(?:\[[^\]]*\])?\)\s*$/.exec(match[1] ?? "")?.[1];
      return `${on === undefined ? "" : `${on}.`}${match[2]}(${goTypes(code.slice(open + 1, end))})${squeeze(result)}`;
    },
  );
  const types = [...code.matchAll(/^type[ \t]+([A-Z]\w*)[^\n{]*/gm)].map(([whole]) => squeeze(whole));
  return [...functions, ...types];
}

/** `a, b int` declares two parameters of type `int`. */
function goTypes(list: string): string {
  const parts = splitTop(list, ",");
  if (!parts.some((part) => /^\w+\s+\S/.test(part))) return parts.map(squeeze).join(", ");
  let type = "";
  return parts
    .toReversed()
    .map((part) => {
      type = /^\w+\s+(.*)$/s.exec(part)?.[1] ?? type;
      return squeeze(type);
    })
    .toReversed()
    .join(", ");
}

function rust(code: string): readonly string[] {
  const functions = [
    ...code.matchAll(
      /(?<![\w(])pub[ \t]+(?:(?:async|const|unsafe)[ \t]+)*fn[ \t]+(\w+)\s*(?:<[^(]*>)?\s*\(/g,
    ),
  ].map((match) => {
    const open = match.index + match[0].length - 1;
    const end = closing(code, open);
    const result = /^[^{;]*/.exec(code.slice(end + 1))?.[0] ?? "";
    const types = splitTop(code.slice(open + 1, end), ",").map((part) =>
      squeeze(part.replace(/^[^:]*:(?!:)/s, "")),
    );
    return `${match[1]}(${types.join(", ")})${squeeze(result)}`;
  });
  const others = [
    ...code.matchAll(/(?<![\w(])pub[ \t]+(struct|enum|trait|type|const|static|mod|union)[ \t]+(\w+)/g),
  ].map(([, kind, name]) => `${kind} ${name}`);
  return [...functions, ...others];
}
