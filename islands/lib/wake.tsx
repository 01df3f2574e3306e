import type { ErrorInfo } from "react";
import { hydrateRoot } from "react-dom/client";
import type { Island } from "./island";

/** Brings the server's HTML of an island to life; each error says which island it was. */
export function wake<P extends object>(element: Element, given: Island<P>) {
  const { name, component: Component } = given.island;
  const [data, root] = element.children;
  if (!data || !root) throw new Error(`island ${name}: its HTML is not what the server wrote`);
  const props = JSON.parse(data.textContent ?? "null") as P;
  const report = (what: string) => (error: unknown, info: ErrorInfo) => console.error(`island ${name}: ${what}`, error, info.componentStack ?? "");
  hydrateRoot(root, <Component {...props} />, {
    onRecoverableError: report("the browser drew it differently than the server"),
    onUncaughtError: report("it stopped"),
    onCaughtError: report("a part of it failed"),
  });
  element.setAttribute("data-awake", "");
}
