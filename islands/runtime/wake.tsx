import { Component, type ErrorInfo, type ReactNode, useEffect } from "react";
import { hydrateRoot } from "react-dom/client";
import { behaveLikeReact } from "./like_react";
import type { Island } from "./island";
import { keepPlace } from "./place";
import { keepTyped } from "./typed";

keepPlace();
behaveLikeReact();

/** Brings the server's HTML of an island to life; each error says which island it was. */
export async function wake<P extends object>(element: Element, given: Island<P>) {
  const { name, component: Island, ready } = given.island;
  const [data, root] = element.children;
  if (!data || !root) throw new Error(`island ${name}: its HTML is not what the server wrote`);
  const props = JSON.parse(data.textContent ?? "null") as P;
  await ready?.(props);
  const changes = new MutationObserver(() => {});
  changes.observe(root, { childList: true, characterDataOldValue: true, subtree: true });
  hydrateRoot(
    root,
    <Fence name={name}>
      <Awake element={element} writeTyped={keepTyped(root)}>
        <Island {...props} />
      </Awake>
    </Fence>,
  );
  if (isOther(changes.takeRecords())) console.error(`island ${name}: the browser drew it differently than the server`);
  changes.disconnect();
}

/** Whether hydration came to another element or text. That a text is parted, or a mark between two texts goes, is no difference. */
function isOther(records: MutationRecord[]): boolean {
  let before = "";
  let after = "";
  for (const { target, oldValue, addedNodes, removedNodes } of records) {
    // The browser has read this as text, and draws nothing in it.
    if (target.nodeName === "NOSCRIPT") continue;
    if ([...addedNodes, ...removedNodes].some((node) => node instanceof Element)) return true;
    for (const node of removedNodes) if (node instanceof Text) before += node.data;
    for (const node of addedNodes) if (node instanceof Text) after += node.data;
    if (target instanceof Text) {
      before += oldValue;
      after += target.data;
    }
  }
  return before !== after;
}

/** An island that fails is gone, and says so in the console; the others go on. */
class Fence extends Component<{ name: string; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };
  static getDerivedStateFromError = () => ({ failed: true });
  override componentDidCatch(error: unknown, info: ErrorInfo) {
    console.error(`island ${this.props.name}: it stopped`, error, info.componentStack ?? "");
  }
  override render() {
    return this.state.failed ? null : this.props.children;
  }
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
