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

/** The props that an island is drawn with for anyone, and what makes of that HTML the reader's own; undefined where it is drawn for each. */
export function asAnyone<P extends object>(component: ComponentType<P>, props: P): { props: P; own(html: string): string } | undefined {
  const found = (islands.get(component) as Anyone<P> | undefined)?.(props);
  return found ? { props: found.as(NOBODY), own: (html) => html.replaceAll(NOBODY, found.account) } : undefined;
}
