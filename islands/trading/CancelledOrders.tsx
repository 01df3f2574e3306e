import { useCallback, useEffect, useState } from "react";
import { myStream } from "../../src/portal/schema";
import type { Position } from "../../src/trading/schema";
import { cancelledOrders } from "../../src/trading/schema_orders";
import { CancelledTable } from "../../views/trading/CancelledTable";
import { Button } from "../../views/ui/Button";
import { call } from "../wire/api";
import { attempt } from "../wire/attempt";
import { listen } from "../wire/stream";

const PAGE = 100;

/** The orders of an account that ended unfilled; where the page did not bring them they are asked for first. Nothing is shown where there are none. */
export function CancelledOrders({ orders: first, accountId }: { orders: Position[] | null; accountId: string | null }) {
  const [orders, setOrders] = useState(first);
  const [more, setMore] = useState(first?.length === PAGE);
  const load = useCallback(
    async (last: Position | undefined) => {
      const query = { limit: String(PAGE), ...(accountId ? { accountId } : {}), ...(last ? { cursor: `${last.createdAt}_${last.id}` } : {}) };
      const found = await attempt("Cancelled orders could not be loaded", () => call(cancelledOrders, undefined, { query }));
      if (!found) return;
      // What was heard of while they were on their way stands before them.
      setOrders((before) => [...(before ?? []), ...found.filter(({ id }) => !before?.some((each) => each.id === id))]);
      setMore(found.length === PAGE);
    },
    [accountId],
  );
  const known = first !== null;
  useEffect(() => {
    if (!known) void Promise.resolve().then(() => load(undefined));
    return listen<{ position: Position }>(myStream.path, {
      position: (news) => {
        if (news.status !== "cancelled" || news.accountId !== accountId) return;
        setOrders((before) => [news, ...(before ?? []).filter(({ id }) => id !== news.id)]);
      },
    });
  }, [known, load, accountId]);
  if (!orders?.length) return null;
  return (
    <section aria-labelledby="cancelled-orders" className="mt-6 border-t border-line pt-2">
      <h2 id="cancelled-orders" className="flex min-h-11 items-center text-[0.9375rem] font-semibold max-md:px-4">
        Cancelled Orders
      </h2>
      <CancelledTable orders={orders} />
      {more ? (
        <Button variant="secondary" className="js-only mt-2" onClick={() => void load(orders.at(-1))}>
          Show older cancelled orders
        </Button>
      ) : null}
    </section>
  );
}
