import { type ReactNode, useEffect, useRef, useState } from "react";
import { offeredInstruments } from "../../src/market/rules_terms";
import { type Indicator, INDICATORS, indicatorOf, isParam } from "../../src/trading/rules_indicators";
import { type ChartLayout, KINDS, LONGEST_TEXT, MOST_DRAWINGS, MOST_INDICATORS, type Tool, TOOLS } from "../../src/trading/schema_layouts";
import { classes } from "../../views/ui/classes";
import { useWorkstation } from "../runtime/screen";
import type { PriceChartView } from "./chart";
import { ChartDesk } from "./chart_desk";
import { ChartDrawings } from "./chart_drawings";
import { TOOL_WORDS } from "./chart_shapes";

type Props = {
  view: PriceChartView | null;
  /** Whose fills can be marked. */
  accountId: string | null;
  symbol: string;
  /** Shown; otherwise what was chosen stays, and the choice of it is put away. */
  open: boolean;
  layout: ChartLayout;
  onLayout: (layout: ChartLayout) => void;
  /** Something can be chosen. */
  isReady: boolean;
  /** What is chosen of the layouts themselves. */
  layouts: ReactNode;
};

/** What the charts beside the first begin with. */
const BESIDE = [{ symbol: "GBP/USD" }, { symbol: "USD/JPY" }, { symbol: "BTC/USD" }];
const KIND_WORDS = { candles: "Candles", bars: "Bars", line: "Line", area: "Area", "heikin-ashi": "Heikin-Ashi" };
export const CONTROL = "min-h-11 whitespace-nowrap rounded-control border px-2 text-table md:min-h-8";
export const [OFF, ON] = ["border-control bg-transparent text-ink", "border-accent bg-accent-soft font-semibold text-accent"];
/** One line, however much is in it: the chart keeps its height. */
const ROW = "flex items-center gap-2 overflow-x-auto px-3 py-1.5 [scrollbar-width:thin] [&>*]:shrink-0";

/** What a chart can show besides its candles, to choose from. Its code travels when somebody opens it. */
export default function ChartTools({ view, accountId, symbol, open, layout, onLayout, isReady, layouts }: Props) {
  const desk = useRef<{ desk: ChartDesk; drawings: ChartDrawings } | null>(null);
  const [chosen, setChosen] = useState<number | null>(null);
  const [armed, setArmed] = useState<{ tool: Tool; placed: number } | null>(null);
  const wide = useWorkstation();
  const change = (part: Partial<ChartLayout>) => onLayout({ ...layout, ...part });
  const now = useRef({ change });
  useEffect(() => {
    now.current = { change };
  });

  useEffect(() => {
    if (!view) return;
    const made = {
      desk: new ChartDesk(view.host, accountId),
      drawings: new ChartDrawings(view.host, {
        changed: (drawings) => now.current.change({ drawings }),
        chose: setChosen,
        armed: (tool, placed) => setArmed(tool && { tool, placed }),
      }),
    };
    desk.current = made;
    return () => {
      made.desk.close();
      made.drawings.close();
      desk.current = null;
    };
  }, [view, accountId]);
  useEffect(() => {
    desk.current?.desk.show(layout);
    desk.current?.drawings.show(layout.drawings);
  }, [view, layout]);

  const drawings = layout.drawings.flatMap((drawing, at) => (drawing.symbol === symbol ? [{ drawing, at }] : []));
  return (
    <fieldset
      aria-label="Chart tools"
      disabled={!isReady}
      data-chart-tools={open ? "" : undefined}
      className={classes("flex min-w-0 flex-col border-b border-line", !open && "hidden")}
    >
      <div className={ROW}>
        <Choice
          label="Type"
          value={layout.kind}
          options={KINDS.map((kind) => [kind, KIND_WORDS[kind]])}
          onChoose={(kind) => change({ kind: kind as ChartLayout["kind"] })}
        />
        <Choice label="Time" value={layout.utc ? "utc" : "local"} options={CLOCKS} onChoose={(clock) => change({ utc: clock === "utc" })} />
        {/* What is compared is drawn in per cent. */}
        <Toggle words="Log scale" on={layout.log && !layout.compare} disabled={layout.compare !== null} onToggle={() => change({ log: !layout.log })} />
        <Toggle words="Bid and ask" on={layout.bidAsk} onToggle={() => change({ bidAsk: !layout.bidAsk })} />
        {accountId ? <Toggle words="Past fills" on={layout.fills} onToggle={() => change({ fills: !layout.fills })} /> : null}
        <Choice
          label="Compare"
          value={layout.compare ?? ""}
          options={[
            ["", "Nothing"],
            ...offeredInstruments()
              .filter((each) => each.symbol !== symbol || each.symbol === layout.compare)
              .map((each): [string, string] => [each.symbol, each.symbol]),
          ]}
          onChoose={(compare) => change({ compare: compare || null })}
        />
        <Picker
          label="Indicator"
          verb="Add"
          disabled={layout.indicators.length >= MOST_INDICATORS}
          options={INDICATORS.map(({ name, title }) => [name, title])}
          onPick={(name) => change({ indicators: [...layout.indicators, { name, params: (indicatorOf(name)?.params ?? []).map(({ value }) => value) }] })}
        />
        <Picker
          label="Drawing"
          verb="Draw"
          disabled={layout.drawings.length >= MOST_DRAWINGS}
          options={(Object.keys(TOOLS) as Tool[]).map((tool) => [tool, TOOL_WORDS[tool]])}
          onPick={(tool) => desk.current?.drawings.arm(tool as Tool)}
        />
        {wide ? (
          <Choice
            label="Charts"
            value={String(layout.charts.length + 1)}
            options={["1", "2", "3", "4"].map((count) => [count, count])}
            onChoose={(count) =>
              change({ charts: BESIDE.map((each, at) => layout.charts[at] ?? { ...each, interval: layout.interval }).slice(0, Number(count) - 1) })
            }
          />
        ) : null}
        {layouts}
      </div>
      {layout.indicators.length + drawings.length > 0 ? (
        <ul aria-label="Indicators and drawings on the chart" className={ROW}>
          {layout.indicators.map((each, at) => (
            <IndicatorChip
              // Two may be alike: their place tells them apart.
              key={`${at} ${each.name}`}
              {...each}
              onParams={(params) => change({ indicators: layout.indicators.map((old, index) => (index === at ? { ...old, params } : old)) })}
              onRemove={() => change({ indicators: layout.indicators.filter((_, index) => index !== at) })}
            />
          ))}
          {drawings.map(({ drawing, at }) => (
            <li key={at} className={classes(CHIP, at === chosen ? "border-warn" : "border-line")}>
              <button
                type="button"
                className="min-h-11 px-1 md:min-h-8"
                aria-pressed={at === chosen}
                onClick={() => desk.current?.drawings.choose(at === chosen ? null : at)}
              >
                {TOOL_WORDS[drawing.tool]}
              </button>
              {drawing.tool === "text" ? (
                <input
                  aria-label="Words of the text"
                  className={`${CONTROL} ${OFF} w-28`}
                  maxLength={LONGEST_TEXT}
                  value={drawing.text}
                  onChange={(event) => change({ drawings: layout.drawings.map((old, index) => (index === at ? { ...old, text: event.target.value } : old)) })}
                />
              ) : null}
              <Remove words={`Delete ${TOOL_WORDS[drawing.tool].toLowerCase()}`} onPress={() => desk.current?.drawings.remove(at)} />
            </li>
          ))}
        </ul>
      ) : null}
      <p role="status" className="px-3 pb-1 text-note text-soft empty:hidden">
        {armed ? armedWords(armed.tool, TOOLS[armed.tool] - armed.placed) : ""}
      </p>
    </fieldset>
  );
}

const CHIP = "flex items-center gap-1 whitespace-nowrap rounded-control border px-2 text-table";
const CLOCKS: [string, string][] = [
  ["utc", "UTC"],
  ["local", "Local time"],
];
const armedWords = (tool: Tool, left: number) =>
  `${TOOL_WORDS[tool]}: press ${left === 1 ? "on a point" : `on ${left} points`} of the chart, or Enter for the middle of it. Escape ends it.`;

type ChoiceProps = { label: string; value: string; options: [value: string, words: string][]; onChoose: (value: string) => void };
export const Choice = ({ label, value, options, onChoose }: ChoiceProps) => (
  <label className="flex items-center gap-1.5 text-note text-soft">
    {label}
    <select aria-label={label} className={`${CONTROL} ${OFF} max-w-40`} value={value} onChange={(event) => onChoose(event.target.value)}>
      {options.map(([each, words]) => (
        <option key={each} value={each}>
          {words}
        </option>
      ))}
    </select>
  </label>
);

type PickerProps = { label: string; verb: string; options: [value: string, words: string][]; disabled: boolean; onPick: (value: string) => void };
/** Choosing does nothing yet: an arrow key on its way through the list would. */
function Picker({ label, verb, options, disabled, onPick }: PickerProps) {
  const [value, setValue] = useState(options[0]?.[0] ?? "");
  return (
    <div className="flex items-center gap-1">
      <Choice {...{ label, value, options }} onChoose={setValue} />
      <button type="button" disabled={disabled} onClick={() => onPick(value)} className={classes(CONTROL, OFF, "disabled:opacity-55")}>
        {verb}
      </button>
    </div>
  );
}

const Toggle = ({ words, on, disabled = false, onToggle }: { words: string; on: boolean; disabled?: boolean; onToggle: () => void }) => (
  <button type="button" aria-pressed={on} disabled={disabled} onClick={onToggle} className={classes(CONTROL, on ? ON : OFF, "disabled:opacity-55")}>
    {words}
  </button>
);

const Remove = ({ words, onPress }: { words: string; onPress: () => void }) => (
  <button type="button" aria-label={words} onClick={onPress} className="min-h-11 min-w-9 text-soft hover:text-loss md:min-h-8 md:min-w-6">
    ×
  </button>
);

type ChipProps = ChartLayout["indicators"][number] & { onParams: (params: number[]) => void; onRemove: () => void };

/** One indicator with its parameters. */
function IndicatorChip({ name, params, onParams, onRemove }: ChipProps) {
  const rule = indicatorOf(name);
  return (
    <li className={classes(CHIP, "border-line")}>
      {name}
      {rule?.params.map((param, at) => (
        <ParamInput
          key={param.name}
          of={name}
          param={param}
          value={params[at] ?? param.value}
          onValue={(value) => onParams(params.map((old, index) => (index === at ? value : old)))}
        />
      ))}
      <Remove words={`Remove ${name}`} onPress={onRemove} />
    </li>
  );
}

type ParamProps = { of: string; param: Indicator["params"][number]; value: number; onValue: (value: number) => void };

/** What is typed counts once it is one that the indicator can take; left, the field says what counts. So it does where another indicator took its place. */
function ParamInput({ of, param, value, onValue }: ParamProps) {
  const { name, least, most } = param;
  const field = useRef<HTMLInputElement>(null);
  const say = () => {
    if (field.current && field.current.valueAsNumber !== value) field.current.value = String(value);
  };
  useEffect(say, [value]);
  return (
    <input
      ref={field}
      type="number"
      aria-label={`${name} of ${of}`}
      className={`${CONTROL} ${OFF} w-16`}
      min={least}
      max={most}
      step={least < 1 ? 0.1 : 1}
      defaultValue={value}
      onChange={({ target }) => {
        if (isParam(param, target.valueAsNumber)) onValue(target.valueAsNumber);
      }}
      onBlur={say}
    />
  );
}
