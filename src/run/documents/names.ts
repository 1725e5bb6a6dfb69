/** The documents of a run: their names and their locations in a workspace and in the main checkout. */

/** Folder of the documents in every workspace. */
export const documentFolder = ".claude/temp";

/** Content of its `.gitignore`, which hides the folder from git. */
export const gitignoreText = "*\n";

/** Document name -> file name. */
export const documentFiles: Readonly<Record<string, string>> = {
  spec: "spec.md",
  architecture: "architecture.md",
  "plan-review": "plan-review.md",
  "test-review": "test-review.md",
  "code-review": "code-review.md",
  "test-output": "test_output.txt",
};

/** Values of a state's `sees` besides the tree -> the document with the content. */
export const visibleDocuments: Readonly<Record<string, string>> = {
  spec: "spec",
  architecture: "architecture",
  red_output: "test-output",
  green_output: "test-output",
  failures: "test-output",
};

/** Documents that agents in document roles may write. */
export const agentDocuments = ["spec", "architecture"] as const;

/** Maximum size of a document written by an agent. */
export const maxDocumentBytes = 4 * 1024 * 1024;
