/** The documents of a run: their names, and where they are in a workspace and in the main checkout. */

/** Folder of the documents in every workspace. */
export const documentFolder = ".claude/temp";

/** Its `.gitignore`: the folder hides itself from git. */
export const hides = "*\n";

/** Document name -> file name. */
export const documentFiles: Readonly<Record<string, string>> = {
  spec: "spec.md",
  architecture: "architecture.md",
  "plan-review": "plan-review.md",
  "test-review": "test-review.md",
  "code-review": "code-review.md",
  "test-output": "test_output.txt",
};

/** What a state may `see` beyond the tree, and the document that carries it. */
export const seen: Readonly<Record<string, string>> = {
  spec: "spec",
  architecture: "architecture",
  red_output: "test-output",
  green_output: "test-output",
  failures: "test-output",
};

/** Documents that agents of document roles may write. */
export const authored = ["spec", "architecture"] as const;

/** Of one document, as an agent leaves it. */
export const maxDocumentBytes = 4 * 1024 * 1024;
