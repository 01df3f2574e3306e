import { TEXT, write } from "../runtime/typed";

/**
 * What was written on a page when its session ended, kept in this tab until its writer has signed in again and is back. A password is
 * never kept, and nothing for anybody else.
 */
const KEY = "kept-text";
const MOST_MS = 60 * 60_000;

type Field = HTMLInputElement | HTMLTextAreaElement;
type Kept = { person: string; page: string; at: number; texts: [name: string, text: string][] };

const person = () => document.documentElement.dataset.person ?? "";
const page = () => location.pathname + location.search;
const fields = () => [...document.querySelectorAll<Field>(TEXT)].filter(({ type }) => type !== "password" && type !== "search");
/** By its id, which is the same when the page is drawn again. */
const nameOf = ({ id, name }: Field) => id || name;

/** Fields that somebody wrote in: what a field holds says nothing, since React takes it for the field's own. */
const written = new Set<EventTarget>();
addEventListener("input", ({ target }) => void (target && written.add(target)), { capture: true, passive: true });

/** Keeps what was written. To be called when the page goes. */
export function keepText() {
  const texts = fields().flatMap((field) => (written.has(field) && field.value && nameOf(field) ? [[nameOf(field), field.value] as [string, string]] : []));
  try {
    if (texts.length > 0) sessionStorage.setItem(KEY, JSON.stringify({ person: person(), page: page(), at: Date.now(), texts } satisfies Kept));
  } catch {
    // Without storage nothing is kept.
  }
}

/** Puts it back where the reader comes from signing in, and forgets it. */
export function restoreText() {
  const came = document.referrer.startsWith(`${location.origin}/login`);
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "null") as Kept | null;
    if (!kept || kept.page !== page()) return;
    sessionStorage.removeItem(KEY);
    if (!came || kept.person !== person() || Date.now() - kept.at > MOST_MS) return;
    const texts = new Map(kept.texts);
    for (const field of fields()) {
      const text = texts.get(nameOf(field));
      if (text === undefined || field.value) continue;
      const put = () => (!field.value || field.value === text) && write(field, text);
      put();
      // An island that is waking at this moment has looked already what stands in its fields, and would not know of it.
      field.closest("[data-island]")?.addEventListener("awake", put);
    }
  } catch {
    // What can't be read was not kept by us.
  }
}
