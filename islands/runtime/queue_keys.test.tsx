import { afterEach, beforeEach, expect, test } from "bun:test";
import { useLayoutEffect } from "react";
import { openDom, type TestDom } from "../../src/testing/dom";
import { useQueue } from "./queue_keys";

let dom: TestDom;
beforeEach(async () => void (dom = await openDom()));
afterEach(() => dom.close());

const asked: string[] = [];
const pressA = () => void document.body.dispatchEvent(new dom.window.KeyboardEvent("keydown", { key: "a", bubbles: true }) as unknown as Event);
type Row = { id: string; userId: null };
const [first, second] = [{ id: "first", userId: null } as Row, { id: "second", userId: null } as Row];
function Queue({ rows }: { rows: Row[] }) {
  const { current } = useQueue({ rows, me: "ann", onAsk: (action, { id }) => void asked.push(`${action} ${id}`) });
  // Whoever is quicker than the page.
  useLayoutEffect(() => {
    if (rows.length === 1) pressA();
  });
  return rows.map(({ id }) => <p key={id} data-row={id} data-current={id === current ? "" : undefined} tabIndex={-1} />);
}

test("a key that comes with the picture in which its row has left does not ask for that row once more", async () => {
  await dom.draw(<Queue rows={[first, second]} />);
  await dom.key("j");
  expect(dom.find("[data-current]").dataset.row).toBe("first");
  await dom.draw(<Queue rows={[second]} />);
  expect(dom.find("[data-current]").dataset.row).toBe("second");
  expect(asked.filter((each) => each.endsWith("first"))).toEqual([]);
});
