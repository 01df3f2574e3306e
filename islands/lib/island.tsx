import type { ComponentType, ReactElement } from "react";
import { scriptJson } from "./json";

/** When the browser wakes an island: at once, when it is idle, when it comes into view, or at the first touch or focus. */
export type When = "load" | "idle" | "visible" | "touch";

export type Island<P> = ((props: P) => ReactElement) & { readonly island: { name: string; component: ComponentType<P>; when: When } };

/** What drawing an island needs from the server; absent in the browser, so no bundle carries React's server half. */
type Drawer = { draw(element: ReactElement): string; source(name: string): string; used(name: string, when: When): void };
let drawer: Drawer | null = null;
export function setDrawer(given: Drawer) {
  drawer = given;
}

/**
 * Makes a component an island: a view uses it like any other component, the server draws it in full, and the browser
 * wakes it `when` told. `name` is the name of its file in `islands/`; its props must survive JSON. Inside, no `useId`
 * (server and browser count differently) and `useSignals()` first where it reads signals.
 */
export function island<P extends object>(name: string, component: ComponentType<P>, { when = "load" }: { when?: When } = {}): Island<P> {
  const Component = component;
  function Shell(props: P) {
    if (!drawer) throw new Error(`island ${name} was drawn inside another island: use its component there`);
    drawer.used(name, when);
    return (
      <div className="contents" data-island={name} data-when={when} data-src={drawer.source(name)}>
        <script type="application/json" dangerouslySetInnerHTML={{ __html: scriptJson(props) }} />
        <div className="contents" dangerouslySetInnerHTML={{ __html: drawer.draw(<Component {...props} />) }} />
      </div>
    );
  }
  return Object.assign(Shell, { island: { name, component, when } });
}
