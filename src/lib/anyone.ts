import type { ComponentType } from "react";

/**
 * What an island shows whoever of the same terms looks at it at the same tick: its props with `id` in the place of the account's own, and
 * nothing in them of a person that is not drawn. Null where it draws something that is one person's alone.
 */
export type Anyone<P> = (props: P) => { account: string; as(id: string): P } | null;

/** An account that is nobody's. Drawn once, an island has it where each reader's own is to stand. */
const NOBODY = crypto.randomUUID();
const islands = new Map<unknown, unknown>();

/** Has an island drawn once for all who see the same. It looks at its props and at the instruments alone, not at the clock. */
export function drawnForAnyone<P extends object>({ island }: { island: { component: ComponentType<P> } }, anyone: Anyone<P>) {
  islands.set(island.component, anyone);
}

/** The props that an island is drawn with for anyone, the parts of that HTML, and the reader's own account, which stands between them; null where it is drawn for each. */
export function asAnyone<P extends object>(component: ComponentType<P>, props: P): { props: P; partsOf(html: string): string[]; account: string } | null {
  const found = (islands.get(component) as Anyone<P> | undefined)?.(props);
  return found ? { props: found.as(NOBODY), partsOf: (html) => html.split(NOBODY), account: found.account } : null;
}
