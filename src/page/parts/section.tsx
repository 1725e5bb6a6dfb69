/** A titled part of the page that other parts link to. */
import type { ComponentChildren } from "preact";
import { useContext, useState } from "preact/hooks";
import { IsLive } from "./pieces.tsx";

export interface SectionProps {
  readonly id: string;
  readonly title: string;
  /** One sentence below the title. */
  readonly lead?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Section({ id, title, lead, children }: SectionProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {lead === undefined ? null : <p class="lead">{lead}</p>}
      {children}
    </section>
  );
}

/**
 * Details that are closed until someone opens them. A live page makes them when they are opened first; a page to keep has them,
 * and shows them open when it is printed.
 */
export function Fold({
  title,
  open = false,
  children,
}: {
  readonly title: ComponentChildren;
  readonly open?: boolean;
  readonly children: ComponentChildren;
}) {
  const isLive = useContext(IsLive);
  const [wasOpened, setOpened] = useState(open);
  return (
    <details open={open} onToggle={({ currentTarget }) => setOpened(wasOpened || currentTarget.open)}>
      <summary>{title}</summary>
      {isLive && !wasOpened ? null : <div class="folded">{children}</div>}
    </details>
  );
}
