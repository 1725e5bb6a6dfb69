// Changes of children outside their own modules, so that a sibling must be rebased.

export const renamed = (text, from, to) =>
  text.replaceAll(new RegExp(`(?<![\\w$])${from}(?![\\w$])`, "g"), to);

/**
 * Both children extract something into one file, at the same place.
 * @param shared the file
 * @param parts of each child: its module, the text of the module after that, and the text that the shared file gets
 */
export const shares = (shared, [first, second]) => ({
  first: first.id,
  second: second.id,
  files: (read) =>
    Object.fromEntries(
      [first, second].map(({ id, module, without, gains }) => [
        id,
        {
          [module]: without(read(module)),
          [shared]: `${read(shared).trimEnd()}\n\n${gains(read(module))}\n`,
        },
      ]),
    ),
  adapted: (read) => ({
    [shared]: `${read(shared).trimEnd()}\n\n${first.gains(read(first.module))}\n\n${second.gains(read(second.module))}\n`,
  }),
});

/** An expression that becomes a function beside the default export of the shared module. */
export function extracted(id, module, { name, from, to, body }) {
  return {
    id,
    module,
    without: (text) =>
      text
        .replace("import exponent from", `import exponent, {${name}} from`)
        .replace(from, () => `${name}(${to}`),
    gains: () => `export function ${name}(x) {\n  return ${body};\n}`,
  };
}

/** Constants of a module that become shared ones. */
export function constants(id, module, { block, rest, names }) {
  return {
    id,
    module,
    without: (text) => {
      const whole = text.includes("./math.js")
        ? text.replace("import {", `import {${names}, `)
        : `import {${names}} from "./math.js";\n\n${text}`;
      return whole.replace(...rest);
    },
    gains: (text) => `export ${block.exec(text)[0]};`,
  };
}

/** A private function that becomes a shared one: `function decode(…) {…}`. */
export function taken(id, module, { name, from }) {
  const block = new RegExp(`^function ${name}\\([^]*?^\\}`, "m");
  return {
    id,
    module,
    without: (text) => `import { ${name} } from "${from}";\n${text.replace(block, "")}`,
    gains: (text) => `export ${block.exec(text)[0]}`,
  };
}

/** The expression over two points in a module, which becomes a shared function. */
export function pointwise(id, module, name) {
  const expression = /a\[\d\] \* b[^;]*/;
  return {
    id,
    module,
    without: (text) => `import {${name}} from "./cross.js";\n\n${text.replace(expression, `${name}(a, b)`)}`,
    gains: (text) => `export function ${name}(a, b) {\n  return ${expression.exec(text)[0]};\n}`,
  };
}

export function takenPython(id, module, { name, block }) {
  return {
    id,
    module,
    without: (text) =>
      text.replace(block, "").replace(/^from (?:\.|humanize\.)i18n import/m, `from .i18n import ${name}\n$&`),
    gains: (text) => `\n${block.exec(text)[0].trim()}`,
  };
}

/** Stubs of functions that contain functions. */
export const later = (names, inner) =>
  `const later = () => {\n  throw new Error("not implemented");\n};\n${names
    .map(
      (name) =>
        `export const ${name} = Object.assign(() => later(), { ${inner.map((one) => `${one}: later`).join(", ")} });\n`,
    )
    .join("")}`;
