import { describe, expect, test } from "bun:test";
import { climbsIn, piecesIn, strangersIn, writersOf } from "./sql_floors";

const functions = [
  ...piecesIn(
    "sql/functions/ledger.sql",
    "-- Says update positions.\ncreate or replace function post_entry(a int) returns void language sql as $$\n  insert into entries values (a);\n$$;\n",
  ),
  ...piecesIn(
    "sql/functions/trading_orders.sql",
    `create or replace function order_fill(a int) returns void language plpgsql as $$
begin
  perform 1 from entries for update;
  perform post_entry(a);
  if a > 1 then update positions set amount = a; end if;
  insert into orders values (a) on conflict do update set amount = a;
  raise exception 'delete from entries by support_open(1)';
end $$;
create or replace trigger orders_told after update of amount on orders for each row execute function order_fill();
`,
  ),
];
const with_ = (path: string, text: string) => [...functions, ...piecesIn(path, text)];
const typescript = (home: string, text: string) => [{ home, name: "x.ts", text }];

describe("what SQL functions write", () => {
  test("is read from their statements, not from comments, locks, texts or triggers", () => {
    expect([...writersOf(functions, [])].map(([table, homes]) => [table, ...homes])).toEqual([
      ["entries", "ledger"],
      ["positions", "trading"],
      ["orders", "trading"],
    ]);
  });

  test("is another domain's only where that is named", () => {
    const twice = with_("sql/functions/funding.sql", "create or replace function move(a int) returns void language sql as $$ delete from positions; $$;");
    expect(strangersIn(writersOf(functions, []), [])).toEqual([]);
    expect(strangersIn(writersOf(twice, []), [])).toEqual(["positions: funding, trading"]);
    expect(strangersIn(writersOf(twice, []), ["funding: positions"])).toEqual([]);
    expect(strangersIn(writersOf(functions, typescript("admin", "sql`\n  update positions set amount = 1`")), [])).toEqual(["positions: admin, trading"]);
    expect(strangersIn(writersOf(functions, typescript("admin", "// to update positions is trading's")), [])).toEqual([]);
  });
});

describe("what SQL functions call", () => {
  test("lies on a lower floor", () => {
    expect(climbsIn(functions, [])).toEqual([]);
    const up = with_("sql/functions/ledger_more.sql", "create or replace function post_all() returns void language sql as $$ select order_fill (1); $$;");
    expect(climbsIn(up, [])).toEqual(["ledger → order_fill"]);
    const aside = with_("sql/functions/support.sql", "create or replace function object() returns void language sql as $$ select order_fill(1); $$;");
    expect(climbsIn(aside, [])).toEqual(["support → order_fill"]);
  });

  test("and so does what the program calls", () => {
    expect(climbsIn(functions, typescript("portal", "sql`select order_fill(${1})`"))).toEqual([]);
    expect(climbsIn(functions, typescript("identity", "sql`select order_fill(${1})`"))).toEqual(["identity → order_fill"]);
  });
});
