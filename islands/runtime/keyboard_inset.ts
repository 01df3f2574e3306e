import { useEffect } from "react";

/**
 * Says in `--keyboard` how much of the page's foot a keyboard on the screen covers: browsers lay the page out as if it were not there, so
 * what should stay in sight above it must know.
 */
export function useKeyboardInset() {
  useEffect(() => {
    const { visualViewport: seen } = window;
    const { style } = document.documentElement;
    if (!seen) return;
    const note = () => {
      // Enlarged by two fingers, the page is seen in part, too, and no keyboard is there.
      const covered = seen.scale > 1 ? 0 : Math.max(0, Math.round(window.innerHeight - seen.height));
      style.setProperty("--keyboard", `${covered}px`);
      // The browser has moved the page up to show the field; with the room made it may stay where it is.
      if (covered > 0 && seen.offsetTop > 0) window.scrollTo({ top: 0 });
    };
    note();
    seen.addEventListener("resize", note);
    return () => {
      seen.removeEventListener("resize", note);
      style.removeProperty("--keyboard");
    };
  }, []);
}
