import { expect } from "bun:test";
import type { Locator, Page } from "playwright-core";

/** The ways in which a person places an order: with a mouse, with a thumb, with keys alone. Each counts its presses and keys. */
export type Hand = {
  way: Way;
  /** Presses of a button, a finger or a key since the last `counted`. */
  counted(): number;
  /** Chooses one of a row of radios. */
  choose(name: string): Promise<void>;
  /** Writes into the field in place of what is there. A date and time as "2026-11-27T22:00". */
  write(label: string, text: string): Promise<void>;
  /** Takes an option, by its words, of the list. */
  pick(label: string, option: string): Promise<void>;
  press(button: Locator): Promise<void>;
  /** Sends the form by its button; with keys alone, by Enter where that does. */
  send(button: Locator): Promise<void>;
};
export const WAYS = ["mouse", "touch", "keyboard"] as const;
export type Way = (typeof WAYS)[number];

/** Under a thumb, in pixels. */
const TARGET = 44;

/** The hands that fill in what stands in `area`. */
export function handOf(way: Way, page: Page, area: Locator): Hand {
  let presses = 0;
  const field = (label: string) => area.getByLabel(label, { exact: true });
  const counted = () => {
    const before = presses;
    presses = 0;
    return before;
  };
  const key = async (name: string) => {
    presses += 1;
    await page.keyboard.press(name);
  };
  const type = async (text: string) => {
    for (const letter of text) await key(letter);
  };
  if (way === "keyboard") {
    const reach = async (to: Locator) => {
      await to.waitFor();
      for (let tabs = 0; tabs < 60; tabs++) {
        const ahead = await to.evaluate((element) => {
          const now = document.activeElement;
          if (now === element) return null;
          return !now || now === document.body || (now.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING) === 0;
        });
        if (ahead === null) return;
        await key(ahead ? "Tab" : "Shift+Tab");
      }
      throw new Error("the keyboard does not come there");
    };
    const enter = async (button: Locator) => {
      await reach(button);
      await key("Enter");
    };
    return {
      way,
      counted,
      async choose(name) {
        const radios = area.getByRole("radio");
        const names = await radios.evaluateAll((all) => all.map((each) => each.parentElement?.textContent));
        const at = await radios.evaluateAll((all) => all.findIndex((each) => (each as HTMLInputElement).checked));
        await reach(radios.nth(at));
        const to = names.indexOf(name);
        for (let step = at; step !== to; step += Math.sign(to - at)) await key(to > at ? "ArrowRight" : "ArrowLeft");
      },
      async write(label, text) {
        await reach(field(label));
        const moment = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)$/.exec(text);
        if (!moment) {
          await key("Control+a");
          return type(text);
        }
        const [, year = "", month = "", day = "", hour = "", minute = ""] = moment;
        await type(`${month}${day}${year}`);
        await key("ArrowRight");
        await type(`${String(Number(hour) % 12 || 12).padStart(2, "0")}${minute}${Number(hour) < 12 ? "a" : "p"}`);
      },
      async pick(label, option) {
        const select = field(label);
        await reach(select);
        const { at, to } = await select.evaluate((element, words) => {
          const list = element as HTMLSelectElement;
          return { at: list.selectedIndex, to: [...list.options].findIndex(({ text }) => text === words) };
        }, option);
        for (let step = at; step !== to; step += Math.sign(to - at)) await key(to > at ? "ArrowDown" : "ArrowUp");
      },
      press: enter,
      async send(button) {
        const isWriting = await page.evaluate(() => document.activeElement?.tagName === "INPUT");
        await (isWriting ? key("Enter") : enter(button));
      },
    };
  }
  const press = async (at: Locator) => {
    presses += 1;
    if (way === "mouse") return at.click();
    // A radio's words are its target, too.
    const target = (await at.getAttribute("type")) === "radio" ? at.locator("..") : at;
    expect((await target.boundingBox())?.height, await at.innerText()).toBeGreaterThanOrEqual(TARGET);
    await at.tap();
  };
  return {
    way,
    counted,
    choose: (name) => press(area.getByRole("radio", { name, exact: true })),
    async write(label, text) {
      await press(field(label));
      presses += text.length;
      await field(label).fill(text);
    },
    async pick(label, option) {
      // The list itself is the browser's: one press opens it, one takes.
      presses += 2;
      await field(label).selectOption({ label: option });
    },
    press,
    send: press,
  };
}
