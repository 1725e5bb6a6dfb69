/** Hands on a keyboard: what a person does in a page without a mouse, and whether they see where they are. */
import type { Locator, Page } from "playwright-core";

export interface Keyboard {
  /** Presses Tab until the element has the focus. */
  tabTo(target: Locator): Promise<void>;
  press(...keys: readonly string[]): Promise<void>;
  /** Replaces what the field with the focus holds. */
  type(text: string): Promise<void>;
  /** Opens whatever matches, until nothing does. */
  openAll(closed: Locator): Promise<void>;
  /** Text of the element that has the focus; empty if none has it. */
  focused(): Promise<string>;
  /** Elements that had the focus and did not show it, or were out of sight. */
  readonly unseen: ReadonlySet<string>;
}

const maxPresses = 600;

export function keyboardOf(page: Page): Keyboard {
  const unseen = new Set<string>();
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const tabTo = async (target: Locator): Promise<void> => {
    const wanted = target.first();
    await wanted.waitFor();
    for (let presses = 0; presses < maxPresses; presses += 1) {
      await press("Tab");
      let seen = await wanted.evaluate(lookAtFocus);
      // The page may have changed since the key was pressed: back, and here again.
      if (seen.fault !== null) {
        await press("Shift+Tab", "Tab");
        seen = await wanted.evaluate(lookAtFocus);
      }
      if (seen.fault !== null) unseen.add(seen.fault);
      if (seen.isThere) return;
    }
    throw new Error(`Tab does not reach ${target.toString()}`);
  };
  return {
    unseen,
    press,
    tabTo,
    async type(text) {
      await press("ControlOrMeta+a");
      await page.keyboard.type(text);
    },
    async openAll(closed) {
      while ((await closed.count()) > 0) {
        await tabTo(closed);
        await press("Enter");
      }
    },
    focused: () =>
      page.evaluate<string>(
        "document.activeElement === document.body ? '' : (document.activeElement?.textContent ?? '')",
      ),
  };
}

/** Runs in the page: whether this element has the focus, and why a person would not see which one has it. */
function lookAtFocus(wanted: Element): { readonly isThere: boolean; readonly fault: string | null } {
  const { activeElement: focused, body, defaultView: view } = wanted.ownerDocument;
  const isThere = focused === wanted;
  if (focused === null || focused === body || view === null) return { isThere, fault: null };
  const { outlineStyle, outlineWidth } = view.getComputedStyle(focused);
  const { top, bottom, left, right } = focused.getBoundingClientRect();
  const isInSight = bottom > 0 && right > 0 && top < view.innerHeight && left < view.innerWidth;
  const hasOutline = outlineStyle !== "none" && parseFloat(outlineWidth) >= 1;
  if (isInSight && hasOutline) return { isThere, fault: null };
  return {
    isThere,
    fault: `${isInSight ? "no outline" : "out of sight"}: ${focused.outerHTML.slice(0, 120)}`,
  };
}
