import { useState } from "react";
import { LONGEST_LAYOUT_NAME } from "../../src/trading/schema_layouts";
import { classes } from "../../views/ui/classes";
import { CONTROL, Choice, OFF } from "./ChartTools";
import type { Layouts } from "./use_layouts";

/** Opens, names and deletes a person's layouts. */
export function LayoutTools({ names, name, open, saveAs, remove }: Layouts) {
  const [typed, setTyped] = useState("");
  return (
    <form
      className="flex items-center gap-1"
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.trim()) void saveAs(typed.trim()).then(() => setTyped(""));
      }}
    >
      {names.length > 0 ? (
        <Choice
          label="Layout"
          value={name ?? ""}
          options={[...(name === null ? [["", "None"] as [string, string]] : []), ...names.map((each): [string, string] => [each.name, each.name])]}
          onChoose={(of) => of && void open(of)}
        />
      ) : null}
      {name === null ? null : (
        <button type="button" onClick={() => void remove()} className={classes(CONTROL, OFF)}>
          Delete layout
        </button>
      )}
      <input
        aria-label="Name of the layout"
        placeholder="Name"
        className={classes(CONTROL, OFF, "w-28")}
        maxLength={LONGEST_LAYOUT_NAME}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <button type="submit" className={classes(CONTROL, OFF)}>
        Save as
      </button>
    </form>
  );
}
