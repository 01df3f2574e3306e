import { useState } from "react";
import { adminTabKeys } from "../../views/admin/tabs";
import { Icon } from "../../views/ui/Icon";
import { island } from "../runtime/island";
import { useStaffKeys } from "../runtime/staff_keys";
import { KeySheet } from "./KeySheet";
import { SearchDialog } from "./SearchDialog";

/** The keyboard of the staff's pages, the one search, and the button that lists the keys. Without scripts the search is a page. */
export function StaffKeys() {
  const [open, setOpen] = useState<"keys" | "search" | null>(null);
  useStaffKeys({
    onHelp: () => setOpen("keys"),
    onSearch: () => setOpen("search"),
    go: (letter) => {
      const to = adminTabKeys().find(({ key }) => key === letter);
      if (to) location.assign(to.href);
    },
  });
  return (
    <>
      <a
        href="/admin/search"
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          setOpen("search");
        }}
        className="inline-flex min-h-11 items-center gap-2 rounded-control px-3 text-table text-soft no-underline hover:text-ink lg:min-h-9 lg:w-64 lg:border lg:border-control"
      >
        <Icon name="search" className="size-5 lg:size-4" />
        <span className="max-lg:sr-only">Search everything</span>
        <kbd aria-hidden="true" className="ml-auto font-mono text-note max-lg:hidden">
          Ctrl K
        </kbd>
      </a>
      <button
        type="button"
        aria-label="Keyboard shortcuts"
        onClick={() => setOpen("keys")}
        className="js-only inline-flex size-11 items-center justify-center rounded-control text-soft hover:text-ink max-lg:hidden"
      >
        <Icon name="keyboard" />
      </button>
      {open === "keys" ? <KeySheet onClose={() => setOpen(null)} /> : null}
      {open === "search" ? <SearchDialog onClose={() => setOpen(null)} /> : null}
    </>
  );
}

export default island("StaffKeys", StaffKeys);
