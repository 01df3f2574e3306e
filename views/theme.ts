import { presetWind4 } from "@unocss/preset-wind4";
import { deskCss } from "./desk_css";
import { palette } from "./palette";

const variables = (mode: keyof typeof palette) =>
  Object.entries(palette[mode])
    .map(([name, value]) => `--c-${name}:${value}`)
    .join(";");

/** What no utility class says: the tokens of both themes, the page's ground, focus, motion. */
export const baseCss = `
:root,[data-theme=light]{color-scheme:light;${variables("light")}}
@media (prefers-color-scheme:dark){:root:not([data-theme=light]){color-scheme:dark;${variables("dark")}}}
[data-theme=dark]{color-scheme:dark;${variables("dark")}}
html{background:var(--c-paper);color:var(--c-ink);scroll-padding-top:5rem;-webkit-text-size-adjust:100%;font-family:var(--font-sans)}
body{min-height:100dvh;overflow-wrap:break-word;font-variant-numeric:tabular-nums;text-rendering:optimizeLegibility}
button[aria-busy=true]{opacity:.6;cursor:progress}
:focus-visible{outline:2px solid var(--c-accent);outline-offset:2px}
::selection{background:var(--c-accent-soft);color:var(--c-ink)}
summary{list-style:none;cursor:pointer}
summary::-webkit-details-marker{display:none}
button:not(:disabled),[role=button],select,label[for]{cursor:pointer}
dialog::backdrop{background:rgb(6 15 25/.55)}
input[type=number]{-moz-appearance:textfield;appearance:textfield}
input::-webkit-outer-spin-button,input::-webkit-inner-spin-button{-webkit-appearance:none;margin:0}
html:not([data-js]) .js-only{display:none}
html:not([data-choice=light]) .theme-light,html:not([data-choice=dark]) .theme-dark,html:not([data-choice=system]) .theme-system{display:none}
.tick-up,.tick-down{position:relative;isolation:isolate}
.tick-up::before,.tick-down::before{content:"";position:absolute;inset:0;z-index:-1;border-radius:inherit;background:var(--tick);opacity:0;animation:tick 400ms ease-out}
.tick-up{--tick:var(--c-gain-soft)}
.tick-down{--tick:var(--c-loss-soft)}
.qr{background:#ffffff;color:#0b1b2b}
html[data-js] .slides>*{grid-area:1/1}
html[data-js] .slides>[inert],html[data-js] [data-slides]:not([data-runs]) .slides>:not(:first-child){opacity:0;visibility:hidden}
.far{content-visibility:auto;contain-intrinsic-size:auto 44rem}
html[data-first] .far{content-visibility:hidden}
.far-card{contain:content;contain-intrinsic-size:auto 10rem}
@media (min-width:64rem){.staff-rows{table-layout:fixed}.staff-rows>tbody>tr>td{height:2.5rem;padding-block:0;vertical-align:middle;line-height:1rem}.staff-rows .text-note{line-height:1rem}.staff-rows td :focus-visible{outline-offset:-2px}.staff-rows tr:not([data-unfolded])>td>div{max-height:2.25rem;overflow:hidden}.staff-rows tr:not([data-unfolded]) .line{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.staff-rows tr:not([data-unfolded]) .line *{white-space:nowrap}.staff-rows tr:not([data-unfolded]) .line>a{display:block;overflow:hidden;text-overflow:ellipsis}.staff-rows tr:not([data-unfolded]) .by-end{direction:rtl;text-align:left}.staff-rows tr[data-unfolded]>td{padding-block:.375rem}}
@media (max-width:63.99rem){.low-cards tr{display:flex;flex-wrap:wrap;align-items:center;position:relative;overflow:clip}.low-cards td{order:6;flex:0 0 100%}.low-cards td[data-part=select]{order:1;flex:none}.low-cards td[data-part=lead]{order:2;flex:1 1 0;min-width:0;align-items:center;padding-block:0}.low-cards td[data-part=sum]{order:3;flex:none;max-width:50%}.low-cards td[data-part=brief]{order:5;flex:1 1 0;min-width:0}.low-cards td[data-part=brief]>div{text-align:left;max-height:2.75rem;overflow:hidden}.low-cards td[data-part=last]{order:5;flex:none;margin-left:auto;max-width:100%;padding-block:0}.low-cards td[data-part]>span{display:none}html[data-js] .low-cards tr:not([data-unfolded])>td:not([data-part]){display:none}.low-cards tr:not([data-unfolded]) .line{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.low-cards tr:not([data-unfolded]) .line *{white-space:nowrap}.low-cards tr:not([data-unfolded]) .line>a{display:block;min-height:1.5rem;overflow:hidden;text-overflow:ellipsis}.low-cards tr:not([data-unfolded])>td[data-part=lead]>div{max-height:2.75rem;overflow:hidden}.low-cards tr[data-unfolded] [data-unfolds]{rotate:180deg}.low-cards tr[data-swipe]{touch-action:pan-y;user-select:none}.low-cards tr[data-way]>td{transform:translateX(var(--swipe))}.low-cards tr[data-way]::after{content:attr(data-asks) / "";position:absolute;inset-block:0;right:1rem;display:flex;align-items:center}.low-cards tr[data-way=left]::after{color:var(--c-loss)}.low-cards tr[data-way=right]::after{right:auto;left:1rem;color:var(--c-gain)}}
@media (max-width:47.99rem){.low-cards td[data-part=select]{padding-inline:0}.low-cards td[data-part=sum]{padding-left:0}.low-cards td[data-part=last] button{padding-inline:.5rem}.low-cards tr::before{content:"";flex-basis:100%;order:4}}
@media (min-width:48rem) and (max-width:63.99rem){.low-cards tbody{display:grid;grid-template-columns:auto minmax(9rem,1fr) fit-content(11rem) fit-content(13.5rem) fit-content(24rem)}.low-cards tr{display:grid;grid-column:1/-1;grid-template-columns:subgrid}.low-cards td{grid-column:1/-1;min-width:0}.low-cards td[data-part=select]{grid-column:1}.low-cards td[data-part=lead]{grid-column:2;font-size:.875rem}.low-cards td[data-part=sum]{grid-column:3;max-width:none;justify-content:flex-end}.low-cards td[data-part=brief]{grid-column:4}.low-cards td[data-part=last]{grid-column:5}.low-cards td[data-part]{grid-row:1}}
.far-row{content-visibility:auto;contain-intrinsic-size:auto 2.75rem}
.watch-row{display:grid;grid-template-columns:minmax(4.25rem,1fr) minmax(.75rem,4rem) 4.5rem 4.5rem 3.7rem 1.5rem;align-items:center;column-gap:.25rem;border-bottom:1px solid var(--c-line)}
.watch-row[aria-current]{box-shadow:inset 3px 0 var(--c-accent)}
.watch-row[aria-current]>:first-child{padding-left:.375rem}
.icon-line{flex-shrink:0;fill:none;stroke:currentColor;stroke-width:1.5;stroke-linecap:round;stroke-linejoin:round}
.spark{fill:none;stroke-width:1.5;stroke-linejoin:round;stroke-linecap:round;vector-effect:non-scaling-stroke}
.watch-name{display:block;overflow:hidden;text-overflow:ellipsis;font-size:.75rem;font-weight:400;line-height:1rem;color:var(--c-soft)}
@media (min-width:48rem){html[data-js] .watch-name{display:none}}
html:not([data-js]) .watch-row button{pointer-events:none;visibility:hidden}html:not([data-js]) .watch-row button>*{visibility:visible}
@media (min-width:64rem){#toasts[data-aside]{left:1rem;right:auto}}
.slide-out{animation:slide-out 160ms ease-out}
@media (max-width:63.99rem){html:has(.foot-bar){scroll-padding-bottom:4.5rem}body:has(.foot-bar){padding-bottom:calc(3.5rem + env(safe-area-inset-bottom))}}
@keyframes slide-out{from{translate:2rem 0;opacity:0}}
@keyframes tick{from{opacity:1}}
@media (prefers-reduced-motion:reduce){*,::before,::after,::backdrop{animation-duration:1ms!important;animation-iteration-count:1!important;transition-duration:1ms!important}.tick-up::before,.tick-down::before{content:none}}
${deskCss}
@media print{header,footer,nav,.no-print{display:none!important}}
`;

const colors = Object.fromEntries(Object.keys(palette.light).map((name) => [name, `var(--c-${name})`]));
const size = (fontSize: string, lineHeight: string, letterSpacing?: string) => ({ fontSize, lineHeight, ...(letterSpacing ? { letterSpacing } : {}) });

/** The generator's configuration: our tokens only, on the 4-pixel spacing unit of an 8-point grid. */
export const unoConfig = {
  presets: [presetWind4({ preflights: { reset: true, theme: "on-demand", property: false } })],
  // Names for what stands on a page dozens of times.
  shortcuts: {
    btn: "inline-flex items-center justify-center gap-2 rounded-control font-medium text-center no-underline select-none transition-colors duration-150 disabled:opacity-55 disabled:cursor-not-allowed aria-disabled:opacity-55",
    field:
      "block w-full min-h-11 rounded-control border bg-surface px-3 text-base text-ink placeholder:text-soft transition-colors duration-150 disabled:opacity-60 md:text-[0.9375rem]",
    "price-text": "whitespace-nowrap tabular-nums",
    "price-point": "text-[0.72em] font-semibold leading-none",
    "price-box": "inline-block rounded-sm",
    "delta-mark": "mr-1 text-[0.7em]",
    "tab-link":
      "focus-visible:-outline-offset-2 -mb-px flex min-h-11 items-center gap-2 whitespace-nowrap border-b-2 px-3 text-product no-underline transition-colors duration-150",
    "chart-step": "inline-flex min-h-11 min-w-11 items-center justify-center rounded-control px-2 text-table md:min-h-9 md:min-w-9",
    "nav-link": "inline-flex min-h-11 items-center rounded-control text-product no-underline transition-colors duration-150 hover:text-ink",
    "foot-link": "inline-flex min-h-11 items-center text-ink underline-offset-4 hover:underline md:min-h-8",
    "order-kind":
      "relative flex min-h-11 flex-auto items-center justify-center rounded-control px-1 text-table font-medium has-[:checked]:bg-accent-soft has-[:checked]:text-accent",
    "desk-place": "relative flex min-h-[3.25rem] flex-col items-center justify-center gap-0.5 text-note no-underline focus-visible:-outline-offset-2",
    "figure-name": "block whitespace-nowrap text-note text-soft",
    "figure-value": "block whitespace-nowrap font-medium tabular-nums",
    "menu-head": "inline-flex min-h-11 items-center gap-1 rounded-control px-3 text-product text-soft hover:text-ink",
    "panel-head": "flex min-h-12 items-center justify-between gap-4 border-b border-line px-4 py-1",
    "menu-item": "flex min-h-11 items-center gap-2 rounded-control px-3 text-product text-ink no-underline hover:bg-sunken",
    "watch-symbol": "min-h-11 w-full truncate text-left text-table font-semibold md:min-h-8",
    "watch-price": "min-h-11 rounded-control border border-transparent px-0 text-right text-table tabular-nums hover:border-control md:min-h-8",
    "watch-bell": "inline-flex min-h-11 items-center justify-center rounded-control text-soft hover:text-ink md:min-h-8",
  },
  theme: {
    colors: { ...colors, transparent: "transparent", current: "currentColor" },
    font: {
      sans: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
      // Each that a device lacks is looked for before the first picture.
      serif: "ui-serif, Georgia, serif",
      mono: 'ui-monospace, "SF Mono", "Cascadia Mono", "Roboto Mono", Menlo, Consolas, monospace',
    },
    text: {
      note: size("0.75rem", "1.125rem"),
      table: size("0.8125rem", "1.25rem"),
      product: size("0.875rem", "1.375rem"),
      base: size("1rem", "1.5rem"),
      public: size("1.0625rem", "1.6875rem"),
      heading: size("1.25rem", "1.625rem", "-0.01em"),
      title: size("1.75rem", "2.125rem", "-0.015em"),
      section: size("clamp(1.75rem, 1.4rem + 1.6vw, 2.5rem)", "1.15", "-0.02em"),
      display: size("clamp(2.375rem, 1.75rem + 2.6vw, 3.625rem)", "1.04", "-0.028em"),
    },
    radius: { card: "10px", control: "8px", full: "9999px" },
    shadow: { raised: "0 1px 2px rgb(6 15 25 / 0.08), 0 12px 32px -8px rgb(6 15 25 / 0.28)" },
  },
};
