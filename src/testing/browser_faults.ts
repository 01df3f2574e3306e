import type { Page } from "playwright-core";

/** What a person sees of a form that was refused: the field that has the focus, by id, and what of it, of its label and of its message is beyond an edge or below something else. */
export const wrongField = (page: Page): Promise<{ id: string; hidden: string[] }> =>
  page.evaluate(() => {
    const field = document.activeElement as HTMLInputElement;
    const parts = { field, label: field.labels?.[0], message: document.getElementById(`${field.id}-error`) };
    const isSeen = (part: Element) => {
      const { left, right, top, bottom } = part.getBoundingClientRect();
      return [top + 1, bottom - 1].every((y) => part.contains(document.elementFromPoint((left + right) / 2, y)));
    };
    const hidden = Object.entries(parts).filter(([, part]) => !part || !isSeen(part));
    return { id: field.id, hidden: hidden.map(([name]) => name) };
  });
