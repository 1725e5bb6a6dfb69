/** The frame of the page: the way back, how the connection is, news, and the list or one run. */
import { HelpDialog } from "./help.tsx";
import { MemoryView } from "./memory/memory.tsx";
import { OpenedDialog } from "./opened.tsx";
import { RunList } from "./run-list.tsx";
import { RunView } from "./run-view.tsx";
import { addressOf } from "./routes.ts";
import {
  connection,
  isHelpOpen,
  memoryOf,
  missedRefusal,
  news,
  opened,
  place,
  type Connection,
} from "./state.ts";

export function App() {
  const isOpen = opened.value !== null;
  return (
    <>
      <a href="#main" class="skip">
        Skip to what is shown
      </a>
      <header class="bar">
        <a
          href={addressOf(null)}
          data-inside=""
          class="home"
          aria-current={place.value === null && memoryOf.value === null ? "page" : undefined}
        >
          <span class="brand">mettle</span> All runs
        </a>
        <ConnectionMark of={connection.value} />
        <button type="button" class="quiet" onClick={() => (isHelpOpen.value = true)} aria-keyshortcuts="?">
          Keys <kbd>?</kbd>
        </button>
      </header>
      <Notice of={connection.value} />
      <MissedRefusal />
      {memoryOf.value === null ? null : <MemoryView key={memoryOf.value} repository={memoryOf.value} />}
      {memoryOf.value === null ? place.value === null ? <RunList /> : <RunView /> : null}
      {isOpen ? <OpenedDialog /> : null}
      {isHelpOpen.value ? <HelpDialog /> : null}
      <p class="unseen" aria-live="polite" role="status" data-news="">
        {news.value}
      </p>
    </>
  );
}

const marks: Readonly<Record<Connection, string>> = {
  connecting: "connecting",
  live: "live",
  lost: "connection lost",
  ended: "session ended",
  "other-build": "old page",
  replaced: "old server",
};

function ConnectionMark({ of }: { readonly of: Connection }) {
  return (
    <span class={`connection ${of}`} data-connection={of}>
      {marks[of]}
    </span>
  );
}

function MissedRefusal() {
  const error = missedRefusal.value;
  if (error === null) return null;
  return (
    <p class="notice" role="alert" data-missed={error.code}>
      <strong>Your decision does not count: {error.message}.</strong> {error.hint}{" "}
      <button type="button" class="quiet" onClick={() => (missedRefusal.value = null)}>
        Close
      </button>
    </p>
  );
}

/** What a person has to do before the page goes on. */
function Notice({ of }: { readonly of: Connection }) {
  if (of === "ended")
    return (
      <p class="notice" role="alert">
        This session has ended. Press Enter where <code>mettle ui</code> runs, and open the address that it
        prints.
      </p>
    );
  if (of === "replaced")
    return (
      <p class="notice" role="alert">
        Mettle was upgraded since this page's server started, so nothing can be decided here. End{" "}
        <code>mettle ui</code> with Ctrl-C, start it again, and open the address that it prints.
      </p>
    );
  if (of === "other-build")
    return (
      <p class="notice" role="alert">
        Mettle was upgraded while this page was open.{" "}
        <button type="button" onClick={() => location.reload()}>
          Load it again
        </button>
      </p>
    );
  return null;
}
