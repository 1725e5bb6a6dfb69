/** The family of orchestrate: documents in the checkout that agents write and a person may edit. */
import { hasDocuments, projectDocuments } from "../../documents/documents.ts";
import { plain, type Family } from "../../family.ts";

export const orchestrate: Family = {
  ...plain,
  name: "orchestrate",
  owns: (protocol) => hasDocuments({ protocol }),
  prepare: projectDocuments,
  project: projectDocuments,
};
