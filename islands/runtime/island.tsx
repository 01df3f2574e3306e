import type { ComponentType, ReactElement } from "react";
import { drawer, type When } from "../../src/lib/drawer";
import { scriptJson } from "../wire/json";

export type Island<P> = ((props: P) => ReactElement) & {
  readonly island: { name: string; component: ComponentType<P>; when: When; ready?: Ready<P> | undefined };
};
/** What must have come before the browser draws what the server drew. */
type Ready<P> = (props: P) => Promise<unknown>;

/**
 * Makes a component an island: a view uses it like any other component, the server draws it in full, and the browser
 * wakes it `when` told. `name` is the name of its file; its props must survive JSON. Inside, no `useId`
 * (server and browser count differently) and `useSignals()` first where it reads signals. One that is `shared` looks at its props alone, neither
 * at the clock nor at instruments, and many people have the same ones: it is drawn once for all of them.
 */
export function island<P extends object>(
  name: string,
  component: ComponentType<P>,
  { when = "load", ready, shared = false }: { when?: When; ready?: Ready<P>; shared?: boolean } = {},
): Island<P> {
  function Shell(props: P) {
    if (!drawer) throw new Error(`island ${name} was drawn inside another island: use its component there`);
    drawer.used(name, when);
    const json = scriptJson(props);
    return (
      <div className="contents" data-island={name} data-when={when} data-src={drawer.source(name)}>
        <script type="application/json" dangerouslySetInnerHTML={{ __html: json }} />
        <div className="contents" dangerouslySetInnerHTML={{ __html: drawer.draw(component, props, shared ? json : undefined) }} />
      </div>
    );
  }
  return Object.assign(Shell, { island: { name, component, when, ready } });
}
