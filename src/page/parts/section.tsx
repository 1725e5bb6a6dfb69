/** A titled part of the page that other parts link to. */
import type { ComponentChildren } from "preact";

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

/** Details that are closed until someone opens them; a printed page shows them open. */
export function Fold({
  title,
  open = false,
  children,
}: {
  readonly title: ComponentChildren;
  readonly open?: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <details open={open}>
      <summary>{title}</summary>
      <div class="folded">{children}</div>
    </details>
  );
}
