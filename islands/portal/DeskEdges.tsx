import { type KeyboardEvent, type PointerEvent, useEffect, useState } from "react";

type Name = "side" | "order" | "foot";
type Edge = {
  name: Name;
  label: string;
  /** In pixels. */
  least: number;
  most: number;
  usual: number;
  /** The panel is at the screen's other end: it grows as its edge goes left or up. */
  back: boolean;
};

const EDGES: Edge[] = [
  { name: "side", label: "Width of the watchlist", least: 260, most: 560, usual: 352, back: false },
  { name: "order", label: "Width of the order panel", least: 300, most: 520, usual: 344, back: true },
  { name: "foot", label: "Height of the lists", least: 120, most: 480, usual: 216, back: true },
];
const STEP = 16;
const KEPT = "desk";

type Sizes = Partial<Record<Name, number>>;

/** The sizes that this browser keeps, as the style of the page that `hold.ts` sets before the first picture. */
function keptSizes(): Sizes {
  try {
    const kept = localStorage.getItem(KEPT) ?? "";
    return Object.fromEntries(
      EDGES.flatMap(({ name, least, most }) => {
        const size = new RegExp(`--desk-${name}:(\\d+)px`).exec(kept)?.[1];
        return size ? [[name, between(Number(size), least, most)]] : [];
      }),
    );
  } catch {
    return {};
  }
}
function keepSizes(sizes: Sizes) {
  try {
    localStorage.setItem(
      KEPT,
      Object.entries(sizes)
        .map(([name, size]) => `--desk-${name}:${size}px`)
        .join(";"),
    );
  } catch {
    // The sizes then last until the page is left.
  }
}
/** As the style sheet has it: on a small screen a panel takes less. In pixels. */
const mostOf = ({ name, most }: Edge) => Math.round(Math.min(most, name === "foot" ? innerHeight / 2 : innerWidth * 0.32));
/** Charts below one another leave the lists less of a low screen, as the style sheet has it. */
const CHART_ROWS = "data-chart-rows";
const hasChartRows = () => document.documentElement.hasAttribute(CHART_ROWS);
const usualOf = ({ name, usual }: Edge) => (name === "foot" && hasChartRows() ? between(innerHeight - 640, 128, usual) : usual);
const between = (size: number, least: number, most: number) => Math.round(Math.min(most, Math.max(least, size)));

/** The edges between a workstation's panels: dragged, or moved by the arrow keys; Home, End, and a double click or Enter for the usual size. */
export default function DeskEdges() {
  const [sizes, setSizes] = useState(keptSizes);
  useEffect(() => {
    for (const { name } of EDGES) {
      const size = sizes[name];
      if (size === undefined) document.documentElement.style.removeProperty(`--desk-${name}`);
      else document.documentElement.style.setProperty(`--desk-${name}`, `${size}px`);
    }
  }, [sizes]);
  // What is kept stays, and counts again on a larger screen.
  const [, setScreen] = useState("");
  useEffect(() => {
    const resized = () => setScreen(`${innerWidth} ${innerHeight} ${hasChartRows()}`);
    addEventListener("resize", resized);
    const rows = new MutationObserver(resized);
    rows.observe(document.documentElement, { attributes: true, attributeFilter: [CHART_ROWS] });
    return () => {
      removeEventListener("resize", resized);
      rows.disconnect();
    };
  }, []);
  const set = (edge: Edge, size: number | null) =>
    setSizes((before) => {
      const next = { ...before };
      if (size === null) delete next[edge.name];
      else next[edge.name] = between(size, edge.least, mostOf(edge));
      keepSizes(next);
      return next;
    });
  return EDGES.map((edge) => (
    <Separator key={edge.name} edge={edge} size={Math.min(sizes[edge.name] ?? usualOf(edge), mostOf(edge))} onSize={(size) => set(edge, size)} />
  ));
}

function Separator({ edge, size, onSize }: { edge: Edge; size: number; onSize: (size: number | null) => void }) {
  const { name, label, least, back } = edge;
  const most = mostOf(edge);
  const upright = name !== "foot";
  const [from, setFrom] = useState<number | null>(null);
  const along = (event: PointerEvent) => (back ? -1 : 1) * (upright ? event.clientX : event.clientY);
  const onKeyDown = (event: KeyboardEvent) => {
    const ways = upright ? { ArrowLeft: -1, ArrowRight: 1 } : { ArrowUp: -1, ArrowDown: 1 };
    const way = ways[event.key as keyof typeof ways] as number | undefined;
    const to = way ? size + way * (back ? -STEP : STEP) : { Home: least, End: most, Enter: null }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    onSize(to);
  };
  return (
    <div
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={upright ? "vertical" : "horizontal"}
      aria-valuenow={size}
      aria-valuemin={least}
      aria-valuemax={most}
      aria-valuetext={`${size} pixels`}
      className={EDGE_CLASS[name]}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setFrom(size - along(event));
      }}
      onPointerMove={(event) => from !== null && onSize(from + along(event))}
      onPointerUp={() => setFrom(null)}
      onPointerCancel={() => setFrom(null)}
      onDoubleClick={() => onSize(null)}
      onKeyDown={onKeyDown}
    />
  );
}

const EDGE_CLASS: Record<Name, string> = { side: "desk-edge desk-e1", order: "desk-edge desk-e2", foot: "desk-edge desk-e3" };
