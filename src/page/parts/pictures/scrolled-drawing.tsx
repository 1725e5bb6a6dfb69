/** A drawing that may be wider than its place. */
import type { ComponentChildren } from "preact";
import type { Placed } from "./placed.ts";

interface ScrolledDrawingProps {
  /** What people who do not see it are told. */
  readonly title: string;
  /** For `data-picture`. */
  readonly name: string;
  readonly size: Placed["size"];
  readonly children: ComponentChildren;
}

export function ScrolledDrawing({ title, name, size: { width, height }, children }: ScrolledDrawingProps) {
  return (
    <div class="wide" tabIndex={0} role="group" aria-label={`${title}, can be scrolled`}>
      <svg
        role="img"
        aria-label={title}
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        data-picture={name}
      >
        {children}
      </svg>
    </div>
  );
}
