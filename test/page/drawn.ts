/** Reads the values that the pictures of a page draw, from the attributes of what is drawn. */
import type { Page } from "playwright-core";

export interface DrawnBar {
  readonly id: string;
  /** Kind of each part -> its value. */
  readonly parts: Readonly<Record<string, number>>;
  /** Width of each part, as a share of the picture. */
  readonly widths: Readonly<Record<string, number>>;
}

/** The rows of a picture of bars. */
export function drawnBars(page: Page, picture: string): Promise<readonly DrawnBar[]> {
  return page.locator(`svg[data-picture="${picture}"] [data-bar]`).evaluateAll((rows) =>
    rows.map((row) => {
      const parts = [...row.querySelectorAll("[data-kind]")];
      const whole = row.querySelector(".track")?.getBoundingClientRect().width ?? 1;
      return {
        id: row.getAttribute("data-bar") ?? "",
        parts: Object.fromEntries(
          parts.map((part) => [part.getAttribute("data-kind"), Number(part.getAttribute("data-value"))]),
        ),
        widths: Object.fromEntries(
          parts.map((part) => [part.getAttribute("data-kind"), part.getBoundingClientRect().width / whole]),
        ),
      };
    }),
  );
}

/** Values of attributes of everything that matches. */
export function attributesOf<Name extends string>(
  page: Page,
  selector: string,
  ...names: readonly Name[]
): Promise<readonly Readonly<Record<Name, string>>[]> {
  return page
    .locator(selector)
    .evaluateAll(
      (all, wanted) =>
        all.map(
          (one) =>
            Object.fromEntries(wanted.map((name) => [name, one.getAttribute(name) ?? ""])) as Record<
              Name,
              string
            >,
        ),
      names,
    );
}

/** The rows of the table with this caption: the cells by the label of their column. */
export function tableOf(page: Page, caption: string): Promise<readonly Readonly<Record<string, string>>[]> {
  return page
    .locator("table", { has: page.locator("caption", { hasText: new RegExp(`^${caption}$`, "u") }) })
    .first()
    .locator("tbody tr")
    .evaluateAll((rows) =>
      rows.map((row) =>
        Object.fromEntries(
          [...row.querySelectorAll("td")].map((cell) => [
            cell.getAttribute("data-label"),
            cell.textContent ?? "",
          ]),
        ),
      ),
    );
}
