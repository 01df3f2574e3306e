/** What is wrong with a form's fields, as far as the form shows it. */

type Faults = Readonly<Record<string, string>>;
/** A refusal that stands at none of the form's fields: what it is about, in words, and its sentence. */
export type Unsaid = { about: string; sentence: string };

/** A fault of a part of a field, such as `spreads.0.spreadPips`, shows at the field. */
const fieldOf = (key: string) => key.split(".")[0] ?? key;

/** Moves the focus to the first field of the page at fault. Answers whether there was one. */
export function focusFirst(form: HTMLFormElement, names: readonly string[], faults: Faults): boolean {
  const atFault = new Set(Object.keys(faults).map(fieldOf));
  const first = names.filter((name) => atFault.has(name)).flatMap((name) => form.querySelector<HTMLElement>(`[name="${name}"]:not([type=hidden])`) ?? []);
  first[0]?.focus();
  return first.length > 0;
}

/** The refusals that nobody could read in the form; of a field of several parts one that stands there is enough. A toast says one of them, and goes. */
export function unsaidIn(form: HTMLFormElement, faults: Faults): readonly Unsaid[] {
  const all = Object.entries(faults).filter(([, sentence]) => sentence !== "");
  if (all.length === 0) return NOTHING_UNSAID;
  const text = form.innerText;
  const said = new Set(all.filter(([, sentence]) => text.includes(sentence)).map(([key]) => fieldOf(key)));
  const unsaid = all.filter(([key]) => !said.has(fieldOf(key)));
  return unsaid.length === 0 ? NOTHING_UNSAID : unsaid.map(([key, sentence]) => ({ about: wordsOf(form, key), sentence }));
}
/** One and the same, so that a form without any is not drawn again. */
export const NOTHING_UNSAID: readonly Unsaid[] = [];

/** A field by its label, where it has one that is not seen now, else by its name: `mustAccept` is 'Must accept', `3.Step` 'Row 3, step'. */
function wordsOf(form: HTMLFormElement, key: string): string {
  const labelled = [...form.querySelectorAll<HTMLInputElement>("[name]")].find(({ name }) => name === key)?.labels?.[0]?.textContent;
  if (labelled) return labelled;
  const words = key
    .replace(/^(?=\d)/, "row ")
    .replace(/\.(\d+)/g, (_, at: string) => ` ${Number(at) + 1}`)
    .replaceAll(".", ", ")
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/ +/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
