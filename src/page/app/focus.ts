/** Keeps the focus of people without a mouse: if what had it is gone, the nearest title that is left gets it. */

export function followFocus(root: HTMLElement): void {
  let last: Element | null = null;
  /** What held it, from inside to outside. */
  let holders: readonly Element[] = [];
  document.addEventListener("focusin", ({ target }) => {
    if (!(target instanceof Element)) return;
    last = target;
    holders = holdersOf(target);
  });
  new MutationObserver(() => {
    if (last === null || last.isConnected) return;
    last = null;
    // Someone may have moved it already, for example a window that was opened.
    if (document.activeElement !== null && document.activeElement !== document.body) return;
    const left = holders.filter(({ isConnected }) => isConnected);
    focusOn(titleIn([...left, root]));
  }).observe(root, { childList: true, subtree: true });
}

export function focusOn(element: HTMLElement | null): void {
  if (element === null) return;
  if (element.tabIndex < 0) element.tabIndex = -1;
  element.focus();
}

function holdersOf(element: Element): readonly Element[] {
  const holders: Element[] = [];
  for (let one = element.parentElement; one !== null; one = one.parentElement) holders.push(one);
  return holders;
}

function titleIn(holders: readonly Element[]): HTMLElement | null {
  for (const holder of holders) {
    const title = holder.querySelector<HTMLElement>("h1, h2, h3");
    if (title !== null) return title;
  }
  return null;
}
