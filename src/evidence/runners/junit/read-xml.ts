/** Reads reports in the XML of JUnit, which many runners write: suites in suites, with test cases in them. */
import { parseXml, XmlElement, XmlText, type XmlNode } from "@rgrove/parse-xml";

export interface XmlCase {
  readonly name: string;
  /** The class, or the titles of the suites around it; empty where the runner names none. */
  readonly classname: string;
  /** Names of the suites around it, outermost first. */
  readonly suites: readonly string[];
  /** As the runner writes it; null where neither the case nor a suite around it names a file. */
  readonly file: string | null;
  readonly outcome: XmlOutcome;
  /** The number of assertions that it executed; null where the runner does not count them. */
  readonly assertions: number | null;
}

export interface XmlOutcome {
  readonly status: "passed" | "failed" | "error" | "skipped";
  /** The class of what was thrown. */
  readonly type: string;
  readonly message: string;
  readonly text: string;
}

/**
 * @param text one report or several, each after the other
 * @returns null where it is no such report
 */
export function readXml(text: string): readonly XmlCase[] | null {
  const documents = text.split(/(?=<\?xml\b)/).filter((one) => one.trim() !== "");
  const read = documents.map(casesOfDocument);
  return read.length === 0 || read.includes(null) ? null : read.flatMap((cases) => cases ?? []);
}

function casesOfDocument(text: string): readonly XmlCase[] | null {
  try {
    const { root } = parseXml(text.trim());
    return root !== null && /^testsuites?$/.test(root.name)
      ? casesIn(root, { file: null, suites: [] })
      : null;
  } catch {
    return null; // no XML, or a part of it
  }
}

interface Around {
  readonly file: string | null;
  readonly suites: readonly string[];
}

function casesIn(element: XmlElement, around: Around): readonly XmlCase[] {
  const file = attribute(element, "file") ?? around.file;
  const name = element.name === "testsuite" ? attribute(element, "name") : null;
  const here = { file, suites: name === null ? around.suites : [...around.suites, name] };
  return elementsIn(element).flatMap((child) => {
    if (child.name === "testsuite") return casesIn(child, here);
    return child.name === "testcase" ? [caseOf(child, here)] : [];
  });
}

function caseOf(element: XmlElement, { file, suites }: Around): XmlCase {
  const count = attribute(element, "assertions");
  return {
    name: attribute(element, "name") ?? "",
    classname: attribute(element, "classname") ?? attribute(element, "class") ?? "",
    suites,
    file: attribute(element, "file") ?? file,
    outcome: outcomeOf(element),
    assertions: count === null ? null : Number(count),
  };
}

/** A case that failed may also be marked as skipped or tried again: the worst counts. */
function outcomeOf(element: XmlElement): XmlOutcome {
  const children = elementsIn(element);
  const find = (name: RegExp) => children.find((child) => name.test(child.name));
  // Surefire's names for attempts before a pass: a test that passes at last is flaky, not passed.
  const error = find(/^(?:error|flakyError|rerunError)$/);
  const failure = find(/^(?:failure|flakyFailure|rerunFailure)$/);
  const skipped = find(/^skipped$/);
  const status =
    error !== undefined
      ? "error"
      : failure !== undefined
        ? "failed"
        : skipped !== undefined
          ? "skipped"
          : "passed";
  const found = error ?? failure ?? skipped;
  const told = (name: string) => (found === undefined ? null : attribute(found, name)) ?? "";
  return {
    status,
    type: told("type"),
    message: told("message"),
    text: found === undefined ? "" : textIn(found),
  };
}

function attribute({ attributes }: XmlElement, name: string): string | null {
  return attributes[name] ?? null;
}

function elementsIn({ children }: XmlElement): readonly XmlElement[] {
  return children.filter((child): child is XmlElement => child instanceof XmlElement);
}

function textIn(element: XmlElement): string {
  return element.children.map((child: XmlNode) => (child instanceof XmlText ? child.text : "")).join("");
}
