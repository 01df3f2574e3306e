import { useEffect } from "react";

/** Brings what is chosen (a tab, a filter) into sight where its row is wider than the screen. The page itself stays where it is. */
export function useTabInView() {
  useEffect(() => {
    for (const chosen of document.querySelectorAll("[role=tab][aria-selected=true], nav a[aria-current=true]")) {
      const row = chosen.closest("nav");
      if (!row) continue;
      const [inner, outer] = [chosen.getBoundingClientRect(), row.getBoundingClientRect()];
      row.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2);
    }
  }, []);
}
