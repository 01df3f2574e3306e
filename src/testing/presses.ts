import type { Page } from "playwright-core";

/** Presses every button of a page and tells which of them did nothing. What a press asks for is noted and goes no further, so that one load is enough. */

/** Nothing moves by itself: no stream, no clock that redraws; no call, no navigation, no question of the browser's leaves the page. */
const hold = () => {
  const noted = { count: 0 };
  const note = () => void (noted.count += 1);
  Object.assign(window, { noted });
  class Silent extends EventTarget {
    static readonly CLOSED = 2;
    readyState = 1;
    close() {}
  }
  Object.assign(window, { EventSource: Silent, setInterval: () => 0 });
  const held = <T>(answer: T) => {
    return () => {
      note();
      return answer;
    };
  };
  const hush = () => {
    Object.assign(window, {
      fetch: held(new Promise(() => {})),
      confirm: held(false),
      prompt: held(null),
      alert: held(undefined),
      print: held(undefined),
      open: held(null),
    });
    for (const each of [navigator.clipboard, Notification] as { writeText?: unknown; requestPermission?: unknown }[]) {
      if (each?.writeText) Object.defineProperty(each, "writeText", { value: held(Promise.resolve()) });
      if (each?.requestPermission) Object.defineProperty(each, "requestPermission", { value: held(Promise.resolve("default")) });
    }
    const { navigation } = window as unknown as { navigation: EventTarget };
    navigation.addEventListener("navigate", (event) => {
      note();
      if ((event as Event & { hashChange: boolean }).hashChange) return;
      event.preventDefault();
    });
    addEventListener("focusin", note);
    HTMLInputElement.prototype.showPicker = note;
    addEventListener("click", ({ target }) => (target as HTMLInputElement).type === "file" && note(), true);
  };
  Object.assign(window, { hush });
};

/** Runs in the page. Answers the names of buttons that did nothing, and of disabled ones without a reason beside them. */
const pressAll = async (): Promise<{ pressed: number; dead: string[]; mute: string[] }> => {
  const { noted, hush } = window as unknown as { noted: { count: number }; hush: () => void };
  hush();
  const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms));
  const name = (button: Element) => {
    const own = button.getAttribute("aria-label") ?? button.textContent ?? "";
    const place = button.closest("dialog, [data-island]");
    return `${own.replace(/\s+/g, " ").trim() || button.outerHTML.slice(0, 80)}${place ? ` (${place.id || place.getAttribute("data-island")})` : ""}`;
  };
  /** Rows of a list have the same buttons, whomever they name: one of each kind is enough. */
  const kind = (button: Element) => {
    const row = button.closest("tbody tr, li, article, [data-row]");
    const place = row && [...row.querySelectorAll("button, summary, [role=button]")].indexOf(button);
    return `${place ?? name(button).replace(/\S*[\d/]\S*/g, "#")}|${row?.parentElement?.className ?? ""}|${button.className}`;
  };
  const isShown = (element: Element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !element.closest("[inert]");
  /** The choice that is made already can't be made again. */
  const isChosen = (element: Element) =>
    element.matches("[aria-pressed=true], [aria-selected=true], [aria-checked=true], [aria-current]:not([aria-current=false])");
  const seen = new Set<string>();
  const dead: string[] = [];
  const mute: string[] = [];
  const next = () => {
    const dialog = [...document.querySelectorAll("dialog[open]")].at(-1);
    const all = [...(dialog ?? document).querySelectorAll<HTMLElement>("button, summary, [role=button], [role=tab], [role=switch]")];
    // What closes a dialog or leaves is pressed last.
    const last = (button: Element) => (/^(close|cancel|back|keep)/i.test(name(button)) ? 1 : 0);
    const found = all.filter((each) => isShown(each) && !isChosen(each) && !seen.has(kind(each))).sort((a, b) => last(a) - last(b))[0];
    return found ?? null;
  };
  let pressed = 0;
  for (let button = next(); button && pressed < 400; button = next() ?? leave()) {
    seen.add(kind(button));
    if (button.matches(":disabled, [aria-disabled=true]")) {
      // What is under way says so itself: "Verifying...".
      const around = /\.\.\.( \(|$)/.test(name(button)) ? "busy" : button.getAttribute("aria-describedby");
      const said =
        around ??
        button
          .closest("fieldset, form, section, div")
          ?.textContent?.replace(button.textContent ?? "", "")
          .trim();
      if (!said) mute.push(name(button));
      continue;
    }
    const before = noted.count;
    let changed = 0;
    const watcher = new MutationObserver((records) => void (changed += records.length));
    watcher.observe(document.documentElement, { subtree: true, childList: true, attributes: true, characterData: true });
    const place = `${scrollX} ${scrollY}`;
    button.click();
    pressed += 1;
    for (let waited = 0; waited < 15_000 && changed === 0 && noted.count === before && place === `${scrollX} ${scrollY}`; waited += 10) await sleep(10);
    watcher.disconnect();
    if (changed === 0 && noted.count === before && place === `${scrollX} ${scrollY}`) dead.push(name(button));
  }
  function leave(): HTMLElement | null {
    const dialog = [...document.querySelectorAll<HTMLDialogElement>("dialog[open]")].at(-1);
    dialog?.close();
    return dialog ? next() : null;
  }
  return { pressed, dead, mute };
};

/** Opens a page so that it can be pressed all over. */
export async function holdPage(page: Page) {
  await page.addInitScript(hold);
}

export async function pressEverything(page: Page, path: string) {
  await page.goto(path);
  await page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLElement>("[data-island]")].every(
      ({ dataset }) => dataset.when === "visible" || dataset.when === "touch" || dataset.awake !== undefined,
    ),
  );
  return page.evaluate(pressAll).catch((error: unknown) => {
    throw new Error(`${path} could not be pressed to its end, at ${page.url()}`, { cause: error });
  });
}
