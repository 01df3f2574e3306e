import type { ComponentType, Key, ReactNode } from "react";
import { drawer } from "../../src/lib/drawer";

/**
 * A part of an island that is the same for whoever sees it, which the server draws once. `seen` says all that its drawing depends on there; beside
 * elements or others of its like it stands. In the browser it is the component.
 */
export function kept<P extends object>(Component: ComponentType<P>, { key, ...rest }: P & { key: Key }, seen: () => unknown): ReactNode {
  const props = rest as unknown as P;
  return drawer ? <Drawn key={key} draw={() => drawer?.kept(Component, props, seen())} /> : <Component key={key} {...props} />;
}

/** React draws one component at a time: within one that has hooks, another drawing would end them. */
const Drawn = ({ draw }: { draw: () => ReactNode }) => draw();
