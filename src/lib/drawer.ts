import type { ComponentType, ReactNode } from "react";

/** When the browser wakes an island: at once, when it is idle, when it comes into view, or at the first touch or focus. */
export type When = "load" | "idle" | "visible" | "touch";

/** What drawing an island needs from the server: React's markup, the address of its code, that it is on this page, and parts that were drawn before. */
type Drawer = {
  /** With `seen`, all that the drawing depends on, it is drawn once for as many as see the same. */
  draw<P extends object>(Component: ComponentType<P>, props: P, seen?: string): string;
  source(name: string): string;
  used(name: string, when: When): void;
  kept<P extends object>(Component: ComponentType<P>, props: P, seen: unknown): ReactNode;
};

/** Null in the browser, so that no bundle carries React's server half. */
export let drawer: Drawer | null = null;
export function setDrawer(given: Drawer) {
  drawer = given;
}
