/**
 * Tabs by the keyboard, as the ARIA practices have them: arrows, Home and End move between the tabs, Enter or Space chooses one, and the
 * Tab key stops at one of them only. Without scripts each is a link like any other.
 */
const listOf = (at: EventTarget | null) => (at instanceof Element ? at.closest("[role=tab]")?.closest("[role=tablist]") : null);
const tabsOf = (list: Element) => [...list.querySelectorAll<HTMLElement>("[role=tab]")];

/** The Tab key stops at `stop`; left out, at the tab that is chosen. */
function rove(list: Element, stop = list.querySelector("[aria-selected=true]")) {
  for (const tab of tabsOf(list)) tab.tabIndex = tab === stop ? 0 : -1;
}

for (const list of document.querySelectorAll("[role=tablist]")) rove(list);
document.addEventListener("focusin", ({ target }) => {
  const list = listOf(target);
  if (list) rove(list, (target as Element).closest("[role=tab]"));
});
document.addEventListener("focusout", ({ target, relatedTarget }) => {
  const list = listOf(target);
  if (list && listOf(relatedTarget) !== list) rove(list);
});
document.addEventListener("keydown", (event) => {
  const list = listOf(event.target);
  if (!list || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const tabs = tabsOf(list);
  const at = tabs.indexOf((event.target as Element).closest("[role=tab]") as HTMLElement);
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: -1 }[event.key];
  if (to === undefined && event.key !== " ") return;
  event.preventDefault();
  if (to === undefined) tabs[at]?.click();
  else tabs.at(to % tabs.length)?.focus();
});

export {};
