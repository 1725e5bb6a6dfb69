/** The documents and commits of a run, to read and to comment on. */
import type { RunModel } from "../../views/model/run-model.ts";
import { Section } from "../parts/section.tsx";
import { Table } from "../parts/table.tsx";
import { clockText, countText } from "../parts/words.ts";
import { opened } from "./state.ts";

export function Changes({
  model: { documents, commits, result, asked },
}: {
  readonly model: Pick<RunModel, "documents" | "commits" | "result" | "asked">;
}) {
  const { commit } = result;
  return (
    <Section id="changes" title="Plan and changes">
      {documents.length === 0 && commits.length > 0 ? null : (
        <Table
          caption="Documents of the run"
          rows={documents}
          idOf={({ name }) => name}
          empty="No document has been written yet."
          columns={[
            {
              label: "Document",
              cell: ({ name, ref }) => (
                <button
                  type="button"
                  class="link"
                  onClick={() =>
                    (opened.value = { type: "text", title: `${name}.md`, address: ref, file: `${name}.md` })
                  }
                >
                  {name}.md
                </button>
              ),
            },
            { label: "By", cell: ({ by }) => by },
            { label: "Versions", kind: "number", cell: ({ versions }) => versions.length },
          ]}
        />
      )}
      <Table
        caption="Commits of the run"
        newest
        rows={commits}
        idOf={({ key, commit: id }) => `${key} ${id}`}
        empty="No commit has been made yet."
        columns={[
          {
            label: "Commit",
            kind: "name",
            cell: ({ commit: id, kind }) => (
              <button
                type="button"
                class="link"
                onClick={() =>
                  (opened.value = {
                    type: "diff",
                    title: `${kind} ${id.slice(0, 10)}`,
                    commit: id,
                    from: null,
                  })
                }
              >
                {id.slice(0, 10)}
              </button>
            ),
          },
          {
            label: "Node",
            kind: "name",
            cell: ({ node }) => node,
            isEmpty: ({ node }) => node === null,
          },
          { label: "Kind", cell: ({ kind }) => kind },
          { label: "Files", cell: ({ paths }) => <span class="name">{paths.join(", ") || "none"}</span> },
          { label: "At", cell: ({ at }) => clockText(at) },
        ]}
      />
      {commit === null || asked.base === "" || commit === asked.base ? null : (
        <p>
          <button
            type="button"
            onClick={() =>
              (opened.value = { type: "diff", title: "The whole change", commit, from: asked.base })
            }
          >
            The whole change{result.files.length === 0 ? "" : `: ${countText(result.files.length, "file")}`}
          </button>
        </p>
      )}
    </Section>
  );
}
