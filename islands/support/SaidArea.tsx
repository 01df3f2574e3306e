import { type ReactNode, useLayoutEffect, useRef } from "react";

/** Nearer to its end than this, in pixels, what was said follows what comes. */
const NEAR = 120;
/** What scrolls can be reached by keyboard. */
const SCROLLED = { role: "region", tabIndex: 0 } as const;

/** What was said, scrolled to its end as long as nobody reads further up. `said`: changes with each word. */
export function SaidArea({ said, children }: { said: unknown; children: ReactNode }) {
  const area = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  useLayoutEffect(() => {
    const { current } = area;
    if (current && follows.current) current.scrollTop = current.scrollHeight;
  }, [said]);
  return (
    <div
      ref={area}
      {...SCROLLED}
      aria-label="What was said"
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        follows.current = scrollHeight - scrollTop - clientHeight < NEAR;
      }}
      className="focus-visible:-outline-offset-2 flex min-h-0 flex-1 flex-col overflow-y-auto overscroll-contain"
    >
      {children}
    </div>
  );
}
