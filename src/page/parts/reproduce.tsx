/** The result, and the commands that check it on another machine or another day. */
import type { RunModel } from "../../views/model/run-model.ts";
import { Fold, Section } from "./section.tsx";
import { Table } from "./table.tsx";
import { clockText, countText, nameText } from "./words.ts";

export function Reproduce({ model }: { readonly model: Pick<RunModel, "result" | "commits" | "run"> }) {
  const { result, commits, run } = model;
  const { commands, files, landed } = result;
  return (
    <Section
      id="reproduce"
      title="Check it yourself"
      lead="In the repository of the run. The records are signed, so an altered one is found."
    >
      <dl class="pairs commands">
        {commands.map(({ words, command }) => (
          <div key={command}>
            <dt>{words}</dt>
            <dd>
              <code>{command}</code>
            </dd>
          </div>
        ))}
      </dl>
      {landed.map(({ onto, commit }) => (
        <p key={commit}>
          Landed on <code>{onto}</code> as <code>{commit.slice(0, 12)}</code>.
        </p>
      ))}
      {files.length === 0 ? null : (
        <Fold title={`${countText(files.length, "changed file")} in the result`}>
          <ul class="plain">
            {files.slice(0, maxFiles).map((file) => (
              <li key={file} class="name">
                {file}
              </li>
            ))}
          </ul>
        </Fold>
      )}
      {commits.length === 0 ? null : (
        <Fold title={countText(commits.length, "commit")}>
          <Table
            caption="Commits of the run"
            rows={commits}
            idOf={({ commit, key }) => `commit ${key} ${commit}`}
            rest={`mettle log ${run}`}
            columns={[
              { label: "Commit", kind: "name", cell: ({ commit }) => commit.slice(0, 12) },
              { label: "Kind", cell: ({ kind }) => nameText(kind) },
              { label: "Paths", cell: ({ paths }) => pathsText(paths) },
              { label: "At", cell: ({ at }) => clockText(at) },
            ]}
          />
        </Fold>
      )}
    </Section>
  );
}

const maxFiles = 500;

function pathsText(paths: readonly string[]): string {
  const more = paths.length - 6;
  return `${paths.slice(0, 6).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
