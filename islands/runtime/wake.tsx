import { type ErrorInfo, type ReactNode, useEffect } from "react";
import { hydrateRoot } from "react-dom/client";
import type { Island } from "./island";
import { keepPlace } from "./place";
import { keepTyped } from "./typed";

keepPlace();

/** Brings the server's HTML of an island to life; each error says which island it was. */
export async function wake<P extends object>(element: Element, given: Island<P>) {
  const { name, component: Component, ready } = given.island;
  const [data, root] = element.children;
  if (!data || !root) throw new Error(`island ${name}: its HTML is not what the server wrote`);
  const props = JSON.parse(data.textContent ?? "null") as P;
  await ready?.(props);
  const report = (what: string) => (error: unknown, info: ErrorInfo) => console.error(`island ${name}: ${what}`, error, info.componentStack ?? "");
  const island = (
    <Awake element={element} writeTyped={keepTyped(root)}>
      <Component {...props} />
    </Awake>
  );
  hydrateRoot(root, island, {
    onRecoverableError: report("the browser drew it differently than the server"),
    onUncaughtError: report("it stopped"),
    onCaughtError: report("a part of it failed"),
  });
}

type AwakeProps = { element: Element; writeTyped: () => void; children: ReactNode };

/** An island is awake once it answers presses and keys: after its effects, not when its hydration was asked for. */
function Awake({ element, writeTyped, children }: AwakeProps) {
  useEffect(() => {
    writeTyped();
    // By then it has drawn what was written.
    queueMicrotask(() => {
      element.setAttribute("data-awake", "");
      element.dispatchEvent(new Event("awake"));
    });
  }, [element, writeTyped]);
  return children;
}
