import type { ComponentType, Key, ReactNode } from "react";
import { drawer } from "../../src/lib/drawer";

/**
 * A part of an island that is the same for whoever sees it, which the server draws once. `seen` is all that its drawing depends on there, beside
 * elements or others of its like it stands. In the browser it is the component.
 */
export function kept<P extends object>(Component: ComponentType<P>, { key, ...props }: P & { key: Key }, seen: unknown): ReactNode {
  return drawer ? drawer.kept(Component, props as unknown as P, seen) : <Component key={key} {...(props as unknown as P)} />;
}
