import { PHONE, WORKSTATION } from "./ui/screens";

/**
 * The trading screen's layouts. A desk of 1,200 px and more shows everything at once, in panels that resize; a phone, upright or on its side,
 * shows the chart or a list, with the prices under the thumb; between them stands one page of parts. Without scripts every width has the page,
 * since nothing else could be switched. What it asks of the page around it goes by `data-desk` on the root (`noticed` below the notice of a
 * demonstration): found by `:has()`, it would be styled and laid out anew as the browser comes to each part.
 */
const SIDEWAYS = "(max-width:63.99rem) and (max-height:30rem) and (orientation:landscape)";
const page = `
.desk{display:grid;grid-template-columns:minmax(0,1fr);gap:1rem;padding:1rem 1rem 0}
.desk-order,.desk-chart,.desk-panes{min-width:0}
.desk-order{display:flex;flex-direction:column;gap:1rem}
.desk-chart{display:flex;flex-direction:column}
.desk-edge,.desk-nav,.desk-side-tabs,.desk-foot-tabs{display:none}
.fold{display:none}
.desk-panes{scroll-margin-top:5rem}
.desk-side{container-type:inline-size}
.desk-side-tabs ul{gap:0}.desk-side-tabs [role=tab]{padding-inline:.375rem;font-size:.75rem}
@container (max-width:22rem){.watch-row{column-gap:.125rem;grid-template-columns:minmax(4.5rem,1fr) minmax(.75rem,4rem) 4.75rem 4.75rem 3.7rem 1.375rem}.watch-row :is(.watch-symbol,.watch-price){font-size:.75rem}}
@container (max-width:19.5rem){.watch-row{grid-template-columns:minmax(4.5rem,1fr) 0 4.75rem 4.75rem 0 1.375rem}.watch-row>:nth-child(5){visibility:hidden}}
.desk-head{display:flex;flex-wrap:wrap;align-items:center;column-gap:1.5rem;row-gap:.5rem}
.desk-head>:not(.contents){flex:1 1 100%}
.desk-figures{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem 1.25rem}
@media (min-width:48rem){.desk{padding-inline:1.5rem}}
@media (min-width:64rem){.desk{grid-template:"head head" auto "chart order" auto "panes panes" auto/minmax(0,1fr) 22rem;padding-bottom:1.5rem}
.desk-head{grid-area:head}.desk-chart{grid-area:chart}.desk-order{grid-area:order}.desk-panes{grid-area:panes}}
@media (min-width:64rem) and (max-width:89.99rem){.desk-chart section>:first-child{column-gap:.5rem}.desk-chart [aria-label=Interval]>button{min-width:2rem;padding-inline:.25rem}}
@media (max-width:63.99rem){html[data-js][data-desk] body{padding-bottom:calc(6rem + env(safe-area-inset-bottom))}
html[data-js][data-desk] body [aria-labelledby=install-title]{bottom:calc(6.75rem + env(safe-area-inset-bottom))}}
`;

const workstation = `
@media ${WORKSTATION}{
html[data-js][data-desk]{--desk-top:3.0625rem;scroll-padding-top:4rem}
html[data-js][data-desk=noticed]{--desk-top:4.9375rem}
html[data-js][data-desk] header>div{min-height:3rem}
html[data-js] .desk{height:calc(100dvh - var(--desk-top));min-height:36rem;gap:0;padding:0 .75rem .75rem;
grid-template:"head head head head head" auto "side e1 chart e2 order" minmax(0,1fr) "e3 e3 e3 e2 order" .75rem "foot foot foot e2 order" clamp(7.5rem,var(--desk-foot,var(--desk-usual,13.5rem)),50dvh)/clamp(16rem,var(--desk-side,22rem),32vw) .75rem minmax(0,1fr) .75rem clamp(18rem,var(--desk-order,21.5rem),32vw)}
html[data-chart-rows] .desk{--desk-usual:clamp(8rem,100dvh - 40rem,13.5rem)}
html[data-js] .desk-head{grid-area:head;justify-content:space-between;min-height:3rem;row-gap:0}
html[data-js] .desk-head>:not(.contents,:first-child){order:1;margin-bottom:.5rem}
html[data-js] .desk-head>:first-child{flex:none}
html[data-js] .desk-head h1{font-size:1rem;line-height:1.5rem}
html[data-js] .desk-figures{gap:0 1.5rem;flex-wrap:nowrap}
@media (max-width:81rem){html[data-js] .desk-head .number-whole{display:none}html[data-js] .desk-head .number-end{display:inline}}
html[data-js] .desk-panes{display:contents}
html[data-js] .desk-tabs{display:none}
html[data-js] :is(.desk-side,.desk-foot){display:flex;flex-direction:column;min-width:0;min-height:0;overflow:hidden;border:1px solid var(--c-line);border-radius:10px;background:var(--c-surface)}
html[data-js] .desk-side{grid-area:side}html[data-js] .desk-foot{grid-area:foot}
html[data-js] :is(.desk-side-tabs,.desk-foot-tabs){display:block;padding-inline:.5rem}
html[data-js] :is(.desk-side-tabs,.desk-foot-tabs) nav{margin:0;padding:0}
html[data-js] :is(.desk-side,.desk-foot)>[role=tabpanel]{flex:1;min-height:0;overflow:auto;padding:.5rem;scrollbar-width:thin}
html[data-js] .desk-foot .empty{padding-block:.75rem;gap:.5rem}html[data-js] .desk-foot .empty>span:first-child{display:none}
html[data-js] .desk-order{grid-area:order;overflow-y:auto;gap:.75rem;min-height:0;scrollbar-width:thin;scroll-padding-bottom:8rem}
html[data-js] .desk-form section{overflow:clip}
html[data-js] .desk-form form>:last-child>:last-child{position:sticky;bottom:0;margin-block:-.5rem;padding-block:.5rem;background:var(--c-surface)}
html[data-js] .desk-chart{grid-area:chart;min-height:0}
html[data-js] .desk-chart .chart-ground{min-height:0}
html[data-js] .desk-edge{display:block;position:relative;touch-action:none}
html[data-js] .desk-e1{grid-area:e1}html[data-js] .desk-e2{grid-area:e2}html[data-js] .desk-e3{grid-area:e3}
html[data-js] .desk-edge::after{content:"";position:absolute;inset:0;margin:auto;border-radius:9999px;background:var(--c-line)}
html[data-js] .desk-edge[aria-orientation=vertical]{cursor:col-resize}html[data-js] .desk-edge[aria-orientation=vertical]::after{width:3px;height:2.5rem}
html[data-js] .desk-edge[aria-orientation=horizontal]{cursor:row-resize}html[data-js] .desk-edge[aria-orientation=horizontal]::after{width:2.5rem;height:3px}
html[data-js] .desk-edge:is(:hover,:focus-visible)::after{background:var(--c-accent)}
html[data-js] .desk-foot table :is(td,th){padding-block:.25rem}
@media (max-width:81rem){html[data-js] .desk-foot table :is(td,th){padding-inline:.5rem}}
html[data-js] .desk-foot td :is(a,button){min-height:1.75rem}
}
`;

const phone = `
@media ${PHONE}{
html[data-js] .desk{padding:.25rem 1rem 0;gap:.5rem}
html[data-js] .desk-head{row-gap:0}
html[data-js] .desk-head h1{font-size:.9375rem;line-height:1.5rem}html[data-js] .desk-head>:first-child{column-gap:0;flex-wrap:nowrap}
@media (max-width:22.49rem){html[data-js] .desk-head h1{font-size:.75rem;letter-spacing:-.03em;white-space:nowrap}}
html[data-js] .desk-figures{width:100%;display:grid;grid-template-columns:1fr 1fr auto;gap:.5rem}
html[data-js] .desk[data-view=chart] :is(.desk-side,.desk-foot,.desk-tabs){display:none}
html[data-js] .desk[data-view=list] :is(.desk-chart,.desk-figures,[data-island=DealTools]>div>:not(dialog),.desk-bar){display:none}
html[data-js] .desk[data-view=list] .desk-order{gap:0}
html[data-js] .desk-form{display:none}
html[data-first] .desk-order [data-island=DealTools]>div>section{content-visibility:hidden;contain-intrinsic-size:auto 19rem}
html[data-js] .desk-chart{margin-inline:-.5rem;height:calc(100svh - 22.75rem);min-height:17rem}
html[data-js] .desk-chart .chart-ground{min-height:0}
html[data-js] .desk-chart footer{display:none}
html[data-js] .desk-chart:has([data-chart-tools]){height:auto}html[data-js] .desk-chart:has([data-chart-tools]) .chart-ground{min-height:20rem}
html[data-js] .desk-nav{display:grid;grid-template-columns:repeat(5,1fr);position:fixed;inset:auto 0 0;z-index:21;border-top:1px solid var(--c-line);background:var(--c-surface);padding-bottom:env(safe-area-inset-bottom)}
html[data-js] .desk-bar{padding-bottom:calc(3.25rem + env(safe-area-inset-bottom))}
html[data-js][data-desk] body{padding-bottom:calc(9.5rem + env(safe-area-inset-bottom))}
html[data-js][data-desk] body [aria-labelledby=install-title]{bottom:calc(10rem + env(safe-area-inset-bottom))}
html[data-js] .fold-rows :is(tbody,caption){display:block}
html[data-js] .fold-rows tr{position:relative;display:grid;grid-template-columns:auto auto minmax(0,1fr) auto;column-gap:.5rem;align-items:center;padding-block:.5rem}
html[data-js] .fold-rows td{grid-column:1/-1;padding:.25rem 0}
html[data-js] .fold-rows td[data-brief]{padding:0;grid-column:auto}
html[data-js] .fold-rows tr:not([data-open])>td:not([data-brief]){display:none}
html[data-js] .fold-zone{display:block}
html[data-js] .fold{display:block;position:absolute;inset:0 0 auto;height:3.5rem}
html[data-js] .fold-rows td[data-brief]>.cell-name{display:none}
html[data-js] [aria-labelledby=waiting-orders]>*{padding-inline:0}
html[data-js] .fold-rows td[data-brief="1"]{grid-row:1}html[data-js] .fold-rows td[data-brief="1-end"]{grid-row:1;grid-column:4;justify-content:flex-end}
html[data-js] .fold-rows td[data-brief="2"]{grid-row:2;grid-column:1/4;font-size:.75rem;color:var(--c-soft)}html[data-js] .fold-rows td[data-brief="2-end"]{grid-row:2;grid-column:4;justify-content:flex-end;font-size:.75rem;color:var(--c-soft)}
}
@media ${SIDEWAYS}{
html[data-js] .desk-chart:has([data-chart-tools]) .chart-ground{min-height:0}
html[data-js] .desk-nav{right:auto;width:16rem;height:3.25rem}
html[data-js] .desk[data-view=list] .desk-nav{right:0;width:auto}
html[data-js] .desk-nav span{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
html[data-js] .desk-bar{left:16rem;height:3.25rem;padding-block:.25rem}
html[data-js] .desk-bar [data-strip]{display:none}html[data-js] .desk-bar>[role=group]{padding-bottom:0}
html[data-js] .desk[data-view=chart] .desk-chart{margin:0;position:fixed;inset:0 0 3.25rem;z-index:31;height:auto;min-height:0;background:var(--c-paper)}
html[data-js][data-desk] body{padding-bottom:3.5rem}
html[data-js][data-desk] body [aria-labelledby=install-title]{bottom:4.25rem}
}
`;

export const deskCss = page + workstation + phone;
