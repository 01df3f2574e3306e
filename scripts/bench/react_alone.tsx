/** What React alone can do here: a page of 80 rows, drawn and packed for each who asks. Neither sessions nor a database stand behind it. */
import { renderToString } from "react-dom/server";

const ROWS = 80;
const SYMBOLS = ["EUR/USD", "BTC/USD", "USD/JPY"];

function Rows({ at }: { at: number }) {
  const rows = Array.from({ length: ROWS }, (_, n) => ({
    id: n,
    symbol: SYMBOLS[n % SYMBOLS.length],
    side: n % 2 ? "buy" : "sell",
    amount: (1000 + n * 17.35).toFixed(2),
    profit: ((at + n * 7919) % 20_000) / 100 - 100,
    time: new Date(at - n * 60_000).toISOString(),
  }));
  return (
    <html lang="en">
      <head>
        <title>Rows</title>
      </head>
      <body>
        <main className="flex w-full flex-col gap-6 px-4 py-6">
          <h1 className="text-title font-semibold">Positions</h1>
          <table className="w-full text-small">
            <thead>
              <tr>
                {["Symbol", "Side", "Amount", "Profit", "At"].map((name) => (
                  <th key={name}>{name}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ id, symbol, side, amount, profit, time }) => (
                <tr key={id} className="border-b border-line">
                  <td className="px-3 py-2">{symbol}</td>
                  <td className="px-3 py-2">{side}</td>
                  <td className="px-3 py-2 text-right">{amount}</td>
                  <td className={profit < 0 ? "text-loss" : "text-gain"}>{profit.toFixed(2)}</td>
                  <td className="px-3 py-2">
                    <time dateTime={time}>{time.slice(0, 16).replace("T", " ")}</time>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </main>
      </body>
    </html>
  );
}

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: () =>
    new Response(Bun.gzipSync(`<!doctype html>${renderToString(<Rows at={Date.now()} />)}`, { level: 6 }), {
      headers: { "Content-Type": "text/html; charset=utf-8", "Content-Encoding": "gzip", "Cache-Control": "no-store" },
    }),
});
console.log(server.port);
await Bun.stdin.text();
process.exit(0);
