/** What makes a failed check pass, where its own reason does not say it (CORE-36). */

interface Remedy {
  /** Reasons without a remedy of their own. */
  readonly of: RegExp;
  readonly remedy: string;
}

const remedies: Readonly<Record<string, Remedy>> = {
  required: {
    of: /./u,
    remedy: "correct the source until these tests pass and the runner ends with exit code 0",
  },
  regressions: { of: /./u, remedy: "restore what these tests prove, and let them run" },
  canary: { of: /./u, remedy: "remove the code that replaces them" },
  links: { of: /./u, remedy: "commit a file in its place, or a link inside the tree" },
  paths: { of: /also changed/u, remedy: "restore these files" },
  no_skip: { of: /./u, remedy: "remove these marks" },
  unique: { of: /./u, remedy: "give each test a name of its own" },
  right_reason: {
    of: /./u,
    remedy: "each new test must fail by an assertion, or because something of the unit is missing",
  },
  not_empty: {
    of: /nothing changed|early_exit|does not pick up/u,
    remedy: "add a test that the runner lists and that does not end its process",
  },
  load: {
    of: /holds no test|early_exit|killed|interrupted/u,
    remedy: "each of these files must hold tests and let them end",
  },
  fails: {
    of: /without the change/u,
    remedy: "a new test must fail on the base and pass with the change",
  },
  commit: { of: /./u, remedy: "name a head that has the change" },
  apart: { of: /nothing changed/u, remedy: "name two commits that differ" },
  unchanged: { of: /./u, remedy: "restore the results of these tests" },
  red: { of: /./u, remedy: "correct that commit first" },
};

export function withRemedy(check: string, reason: string): string {
  const found = remedies[check.replace(/^(?:red|green)\./u, "")];
  return found?.of.test(reason) === true ? `${reason}; ${found.remedy}` : reason;
}
