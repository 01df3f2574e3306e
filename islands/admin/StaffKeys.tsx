import { useState } from "react";
import { adminTabKeys } from "../../views/admin/tabs";
import { Icon } from "../../views/ui/Icon";
import { island } from "../runtime/island";
import { useStaffKeys } from "../runtime/staff_keys";
import { KeySheet } from "./KeySheet";

/** The keyboard of the staff's pages, and the button that lists its keys. */
export function StaffKeys() {
  const [helps, setHelps] = useState(false);
  useStaffKeys({
    onHelp: () => setHelps(true),
    onSearch: () => {},
    go: (letter) => {
      const to = adminTabKeys.find(({ key }) => key === letter);
      if (to) location.assign(to.href);
    },
  });
  return (
    <>
      <button
        type="button"
        aria-label="Keyboard shortcuts"
        onClick={() => setHelps(true)}
        className="js-only inline-flex size-11 items-center justify-center rounded-control text-soft hover:text-ink max-lg:hidden"
      >
        <Icon name="keyboard" />
      </button>
      {helps ? <KeySheet onClose={() => setHelps(false)} /> : null}
    </>
  );
}

export default island("StaffKeys", StaffKeys);
