import fc from "fast-check";
import type { GenericSchema } from "valibot";

/** What a schema takes, and what it does not, drawn from the schema itself. */

/** Stands in every text that is drawn as wrong: an answer that shows it repeats what was sent. */
export const MARK = "zq9EcHo7x";

type Node = {
  type: string;
  pipe?: Node[];
  entries?: Record<string, Node>;
  options?: unknown[];
  wrapped?: Node;
  item?: Node;
  value?: Node;
  literal?: unknown;
  requirement?: unknown;
};

/** Texts and values that nobody types: other types, sizes and letters. */
export const wrong = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1,
    0.1,
    1e308,
    2 ** 53,
    "",
    " ",
    [],
    {},
    [[]],
    "NaN",
    "Infinity",
    "1e5",
    "0x10",
    "１２",
    "-0",
    "00000000-0000-0000-0000-000000000000",
  ),
  fc.constantFrom(
    ...[
      "\u0000",
      "\ud800",
      "\u202e",
      "\r\nSet-Cookie: a=b",
      "<script>alert(1)</script>",
      "'; drop table users; --",
      "${7*7}",
      "../../etc/passwd",
      "%00",
      "\ufeff",
      "e\u0301".repeat(50),
    ].map((text) => `${MARK}${text}`),
    MARK.repeat(2_000),
    [MARK, { [MARK]: MARK }],
    { constructor: MARK, toString: MARK, length: 2 ** 31 },
  ),
  fc.string({ unit: "binary", maxLength: 30 }).map((text) => MARK + text),
  fc.integer().map(String),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Mostly what the schema takes; now and then anything else in its place. */
export const valueFor = (schema: GenericSchema): fc.Arbitrary<unknown> => draw(schema as unknown as Node);

const draw = (node: Node): fc.Arbitrary<unknown> => fc.oneof({ weight: 5, arbitrary: fitting(node) }, { weight: 1, arbitrary: wrong });

function fitting(node: Node): fc.Arbitrary<unknown> {
  if (node.pipe) return piped(node.pipe);
  const { entries, options, wrapped, item, literal } = node;
  if (entries) return fc.record(Object.fromEntries(Object.entries(entries).map(([key, each]) => [key, draw(each)])));
  if (wrapped) return fc.oneof({ weight: 3, arbitrary: fitting(wrapped) }, { weight: 1, arbitrary: fc.constantFrom(undefined, null) });
  if (node.type === "picklist" && options) return fc.constantFrom(...options);
  if (options) return fc.oneof(...(options as Node[]).map(fitting));
  if (node.type === "literal") return fc.constant(literal);
  if (item) return fc.array(draw(item), { maxLength: 4 });
  if (node.type === "boolean") return fc.boolean();
  if (node.type === "number") return fc.oneof(fc.integer(), fc.double());
  if (node.type === "string") return fc.oneof(fc.string({ maxLength: 40 }), fc.constantFrom("Ada", "12.50", "EUR/USD", "2026-11-21", "ada@t.test"));
  return fc.oneof(fc.constantFrom("1.10001", "250.00", 250, "EUR/USD"), wrong);
}

/** A pipe's own pattern says best what it takes. */
function piped([first, ...steps]: Node[]): fc.Arbitrary<unknown> {
  const pattern = steps.find((step) => step.type === "regex")?.requirement;
  const inner = steps.find((step) => step.entries ?? step.options);
  if (pattern instanceof RegExp && !/\(\?[=!<]|\\p\{/.test(pattern.source))
    return fc.stringMatching(new RegExp(pattern.source, pattern.flags.replace(/[gimy]/g, "")));
  return fitting(inner ?? (first as Node));
}
