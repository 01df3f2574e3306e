import { afterEach, beforeEach, expect, jest, spyOn, test } from "bun:test";
import { useEffect } from "react";
import { openDom, type TestDom } from "../../src/testing/dom";
import { Fresh, Marked } from "../ui/Fresh";
import { AdminTable } from "../../views/ui/staff/AdminTable";
import { idOf, settle, usePress, useSteady } from "./steady";

type Row = { id: string; word: string };
const row = (id: string, word = id): Row => ({ id, word });
const ids = (rows: readonly Row[]) => rows.map(({ id }) => id).join("");

test("a list that nobody is in shows what there is", () => {
  expect(settle([row("a")], [row("b"), row("a")], false, idOf)).toEqual({ rows: [row("b"), row("a")], gone: new Set(), fresh: 0 });
});

test("held, no row leaves its place: the gone stay, the new wait, and what changed shows", () => {
  const shown = settle([row("a"), row("b"), row("c")], [row("x"), row("c", "other"), row("a"), row("y")], true, idOf);
  expect([ids(shown.rows), shown.rows[2]?.word, [...shown.gone], shown.fresh]).toEqual(["abc", "other", ["b"], 2]);
});

test("held, what was asked for comes all the same, below what stands there", () => {
  const shown = settle([row("a"), row("b")], [row("x"), row("y"), row("b")], true, idOf, new Set(["y", "b", "z"]));
  expect([ids(shown.rows), [...shown.gone], shown.fresh]).toEqual(["aby", ["a"], 1]);
});

test("a list without rows has nothing to move", () => {
  expect(settle([], [row("a")], true, idOf)).toEqual({ rows: [row("a")], gone: new Set(), fresh: 0 });
  // Unless another list stands below it.
  expect(settle([], [row("a")], true, idOf, undefined, false)).toEqual({ rows: [], gone: new Set(), fresh: 1 });
});

let dom: TestDom;
const seen = {} as { list: ReturnType<typeof useSteady<Row>>[0]; mayPress: () => boolean };
beforeEach(async () => {
  dom = await openDom();
});
afterEach(async () => {
  jest.useRealTimers();
  await dom.close();
});

function List({ rows, wanted = 0 }: { rows: Row[]; wanted?: number }) {
  const [steady, area] = useSteady(rows, idOf, wanted);
  const mayPress = usePress();
  useEffect(() => void Object.assign(seen, { list: steady, mayPress }));
  return (
    <div ref={area}>
      <Fresh list={steady} />
      <Marked list={steady}>
        <AdminTable
          caption="Rows"
          rowKey={idOf}
          rows={steady.rows}
          columns={[
            { key: "word", title: "Word", cell: ({ word }) => word },
            {
              key: "deed",
              title: "Deed",
              cell: ({ id }) => (
                <button type="button" id={`do-${id}`}>
                  Do
                </button>
              ),
            },
          ]}
        />
      </Marked>
    </div>
  );
}
const shown = () => [...dom.window.document.querySelectorAll("tr[data-row]")].map((each) => each.getAttribute("data-row")).join("");
const words = () => dom.window.document.body.textContent ?? "";

test("while the keyboard is in the list rows stay, and come in by the button or once the keyboard left", async () => {
  await dom.draw(<List rows={[row("a"), row("b")]} />);
  dom.find("#do-b").focus();
  await dom.draw(<List rows={[row("n"), row("b")]} />);
  expect(shown()).toBe("ab");
  expect(dom.find("[data-row=a]").textContent).toContain("No longer in this list");
  expect(dom.find("[data-fresh]").textContent).toBe("1 new");
  await dom.press(dom.find("[data-fresh]"));
  expect(shown()).toBe("nb");
  expect(words()).not.toContain("new");
});

test("more that was pressed for comes in, though an older answer comes first", async () => {
  await dom.draw(<List rows={[row("a"), row("b")]} wanted={2} />);
  dom.find("#do-b").focus();
  await dom.draw(<List rows={[row("a"), row("b")]} wanted={4} />);
  expect(shown()).toBe("ab");
  await dom.draw(<List rows={[row("a"), row("b"), row("c"), row("d")]} wanted={4} />);
  expect(shown()).toBe("abcd");
  await dom.draw(<List rows={[row("a"), row("b"), row("c"), row("d"), row("e")]} wanted={4} />);
  expect(shown()).toBe("abcd");
});

test("a decided row stays for eight seconds with the way to take it back, and no deed of its own", async () => {
  jest.useFakeTimers();
  let asked = 0;
  await dom.draw(<List rows={[row("a"), row("b")]} />);
  await dom.act(async () => seen.list.decide("a", { text: "Approved", undo: async () => (asked += 1) > 0 }));
  expect(seen.list.open.map(idOf)).toEqual(["b"]);
  await dom.draw(<List rows={[row("b")]} />);
  expect(shown()).toBe("ab");
  expect(dom.window.document.querySelector("#do-a")).toBeNull();
  await dom.press(dom.button("Undo"));
  expect(asked).toBe(1);
  await dom.act(async () => void jest.advanceTimersByTime(7000));
  expect(words()).toContain("Undo (1 s)");
  await dom.act(async () => void jest.advanceTimersByTime(1000));
  expect(words()).not.toContain("Undo");
});

test("the second of a double press decides nothing", async () => {
  await dom.draw(<List rows={[row("a")]} />);
  expect([seen.mayPress(), seen.mayPress(), seen.mayPress()]).toEqual([true, false, false]);
});

test("nor does it where the page was busy, and heard of it long after it was pressed", async () => {
  await dom.draw(<List rows={[row("a")]} />);
  let now = 10_000;
  const clock = spyOn(performance, "now").mockImplementation(() => now);
  const press = (at: number) => {
    const event = new dom.window.Event("pointerdown");
    Object.defineProperty(event, "timeStamp", { value: at });
    dom.window.document.dispatchEvent(event);
  };
  press(now);
  expect(seen.mayPress()).toBe(true);
  press(now + 200);
  now += 3000;
  expect(seen.mayPress()).toBe(false);
  press(now);
  expect(seen.mayPress()).toBe(true);
  clock.mockRestore();
});
