import { type ComponentType, useEffect, useState } from "react";
import { Button } from "../../views/ui/Button";
import { Skeleton } from "../../views/ui/States";

type Later<P> = ComponentType<P> & {
  /** Fetches the code; resolves once it can be drawn. */
  ready(): Promise<void>;
};

const underWay = new Set<Promise<void>>();
/** Resolves once all code that was asked for so far is there, or could not be had. */
export async function laterParts(): Promise<void> {
  while (underWay.size > 0) await Promise.allSettled(underWay);
}
function noted(loading: Promise<void>): Promise<void> {
  underWay.add(loading);
  const over = () => void underWay.delete(loading);
  loading.then(over, over);
  return loading;
}

/**
 * A component whose code comes when it is first shown, or when `ready` is called. The server has it from the start, so that a
 * page holds it in full; an island that shows one at once names it in its `ready`, or the browser would draw less than the server.
 */
export function later<P extends object>(load: () => Promise<{ default: ComponentType<P> }>): Later<P> {
  let Found: ComponentType<P> | null = null;
  let loading: Promise<void> | null = null;
  const ready = () =>
    (loading ??= noted(
      load().then(
        ({ default: component }) => void (Found = component),
        (error: unknown) => {
          loading = null;
          throw error;
        },
      ),
    ));
  if (typeof document === "undefined") void ready();

  function Shown(props: P) {
    const [state, setState] = useState<"loading" | "failed" | "there">(Found ? "there" : "loading");
    useEffect(() => {
      if (state === "loading")
        ready().then(
          () => setState("there"),
          () => setState("failed"),
        );
    }, [state]);
    if (Found) return <Found {...props} />;
    if (state === "loading") return <Skeleton className="h-40 w-full" />;
    return (
      <div role="alert" className="flex flex-col items-center gap-3 py-8">
        <p>This part could not be loaded.</p>
        <Button variant="secondary" onClick={() => setState("loading")}>
          Try again
        </Button>
      </div>
    );
  }
  return Object.assign(Shown, { ready });
}
