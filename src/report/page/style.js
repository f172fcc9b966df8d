import { Html } from '../../kit/html.js'

/**
 * Colours of both themes. Those of plots (series, heat, failed) are told apart by lightness too, and have 3:1 or more against
 * the paper.
 */
const LIGHT = `
  --paper: #ffffff; --wash: #f5f6f8; --ink: #1c1e21; --quiet: #59616d; --grid: #e3e6ea; --edge: #d3d8de; --link: #0b5394;
  --good: #0a6b4a; --good-wash: #e9f6f0; --mind: #8a5300; --mind-wash: #fdf4e3; --failed: #a8123a; --failed-wash: #fcebef;
  --series-1: #0b65a3; --series-2: #c77700; --series-3: #0a7d5c; --series-4: #9c4a8b; --series-5: #7a6a00; --series-6: #5c6470;
  --heat-1: #d6e6f4; --heat-2: #abcfe6; --heat-3: #72b0d7; --heat-4: #3e8dc4; --heat-5: #1865ac; --heat-6: #08306b;`

const DARK = `
  --paper: #14171b; --wash: #1c2026; --ink: #e6e9ed; --quiet: #a0a9b5; --grid: #2a3038; --edge: #39414b; --link: #7cbcf0;
  --good: #5fd3a4; --good-wash: #12281f; --mind: #f0b85a; --mind-wash: #2b2212; --failed: #ff7d97; --failed-wash: #30161c;
  --series-1: #4ba3e3; --series-2: #f2a83b; --series-3: #35c495; --series-4: #d98ac6; --series-5: #c9b945; --series-6: #9aa4b1;
  --heat-1: #1b3350; --heat-2: #1f4c7c; --heat-3: #2a6cae; --heat-4: #4b93d3; --heat-5: #87bdec; --heat-6: #d9ecfd;`

/** STYLE is the style sheet of every page. */
export const STYLE = new Html(`
:root { color-scheme: light dark; ${LIGHT} }
@media (prefers-color-scheme: dark) { :root { ${DARK} } }
@media print { :root { color-scheme: light; ${LIGHT} } }
* { box-sizing: border-box; } [hidden] { display: none !important; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif; }
main { max-width: 78rem; margin: 0 auto; padding: 2rem 1.5rem 4rem; }
h1, h2, h3 { line-height: 1.25; font-weight: 600; text-wrap: balance; }
h1 { margin: 0; font-size: 1.05rem; overflow-wrap: anywhere; }
h2 { margin: 3rem 0 .75rem; font-size: 1.3rem; }
h3 { margin: 0; font-size: 1rem; }
p { margin: 0 0 .5rem; max-width: 46rem; }
a { color: var(--link); }
ul { padding-left: 1.2rem; }
code { white-space: nowrap; } pre code { white-space: inherit; }
code, pre { font: .86em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
pre { margin: 0 0 .75rem; padding: .65rem .85rem; background: var(--wash); border-radius: 6px; white-space: pre-wrap;
  overflow-wrap: anywhere; }
small, .quiet { color: var(--quiet); font-size: .875rem; }
.when { margin: .15rem 0 0; }
.lead { margin: 1.5rem 0 1.25rem; }
.lead p { max-width: 50rem; font-size: 1.3rem; line-height: 1.45; }
.lead p + p { font-size: 1.05rem; }
.verdict { margin: 0; padding: 0; list-style: none; display: grid; gap: .4rem; }
.verdict li { display: flex; gap: .6rem; align-items: baseline; padding: .45rem .75rem; border-radius: 6px; }
.verdict b { flex: none; width: 1em; text-align: center; }
.good { background: var(--good-wash); } .good b { color: var(--good); }
.mind { background: var(--mind-wash); } .mind b { color: var(--mind); }
.bad { background: var(--failed-wash); } .bad b { color: var(--failed); }
.scroll { width: fit-content; max-width: 100%; overflow-x: auto; margin: 0 0 .75rem; border: 1px solid var(--edge); border-radius: 6px;
  background: linear-gradient(to right, var(--paper) 40%, transparent) 0 0 / 3rem 100% no-repeat local,
    linear-gradient(to left, var(--paper) 40%, transparent) 100% 0 / 3rem 100% no-repeat local,
    linear-gradient(to right, var(--edge), transparent) 0 0 / 1rem 100% no-repeat scroll,
    linear-gradient(to left, var(--edge), transparent) 100% 0 / 1rem 100% no-repeat scroll; }
.scroll:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
table { border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums; }
th, td { padding: .4rem .45rem; text-align: left; white-space: nowrap; }
th:first-child, td:first-child { padding-left: .75rem; } th:last-child, td:last-child { padding-right: .75rem; }
thead th { color: var(--quiet); font-weight: 500; white-space: normal; vertical-align: bottom; background: var(--wash);
  border-bottom: 1px solid var(--edge); }
tbody th { font-weight: inherit; }
tbody tr + tr > * { border-top: 1px solid var(--grid); }
.r { text-align: right; }
td s { text-decoration: none; color: var(--quiet); }
td.wrap { white-space: normal; min-width: 16rem; overflow-wrap: anywhere; }
.notes { margin: 0; padding-left: 1.1rem; color: var(--quiet); font-size: .875rem; max-width: 60rem; overflow-wrap: anywhere; }
.notes + .scroll { margin-top: .75rem; }
.warnings { margin: 0; padding: 0; list-style: none; display: grid; gap: .5rem; max-width: 60rem; }
.warnings li { padding: .15rem 0 .15rem .85rem; border-left: 3px solid var(--mind); }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); gap: 0 2rem; }
.plot { display: grid; grid-row: span 3; grid-template-rows: subgrid; margin: 0 0 2rem; min-width: 0; }
.frame { container-type: inline-size; }
.plot figcaption p { margin: .15rem 0 .5rem; color: var(--quiet); font-size: .875rem; }
.plot svg { display: block; width: 100%; height: auto; }
.plot .wide { display: block; max-width: 620px; } .plot .narrow { display: none; max-width: 400px; }
@container (max-width: 440px) { .plot .wide { display: none; } .plot .narrow { display: block; } }
.plot .middle { display: none; }
.hot-spots { display: flex; flex-wrap: wrap; gap: 1.25rem 2.5rem; margin-bottom: 1rem; }
.hot-spots > div { min-width: 0; max-width: 100%; } .hot-spots h3 { margin-bottom: .4rem; }
.flame .wide { max-width: none; } .flame .narrow { max-width: none; } .plot.flame text { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
@container (max-width: 900px) { .flame .wide { display: none; } .flame .middle { display: block; } }
@container (max-width: 440px) { .flame .middle { display: none; } }
.plot text { font-family: inherit; font-variant-numeric: tabular-nums; }
.plot .rect { shape-rendering: crispEdges; }
.legend { display: flex; flex-wrap: wrap; align-content: start; gap: .1rem .9rem; margin: 0 0 .4rem; padding: 0; list-style: none;
  font-size: .8125rem; color: var(--quiet); }
.legend li { display: flex; align-items: center; gap: .35rem; }
.legend svg { flex: none; width: 18px; height: 12px; }
.bar { display: inline-block; width: 5rem; height: .5rem; margin-right: .5rem; border-radius: 2px; background: var(--grid);
  overflow: hidden; }
.bar i { display: block; height: 100%; background: var(--series-1); }
.bar.much i { background: var(--mind); }
details { margin: .5rem 0; } summary { cursor: pointer; color: var(--link); }
details > * + * { margin-top: .5rem; }
footer { margin-top: 3.5rem; padding-top: 1rem; border-top: 1px solid var(--edge); }
.toc { columns: 18rem; margin: 1.5rem 0; }
.contents { position: sticky; top: 0; z-index: 2; display: flex; gap: .25rem 1.1rem; overflow-x: auto; margin: 1.5rem 0 -1.25rem;
  padding: .55rem 0; background: var(--paper); border-bottom: 1px solid var(--edge); font-size: .875rem; white-space: nowrap;
  scrollbar-width: none; }
.contents a { color: var(--quiet); text-decoration: none; } .contents a:hover { text-decoration: underline; }
.contents a[aria-current] { color: var(--ink); font-weight: 600; }
section { scroll-margin-top: 2.5rem; }
button, input { font: inherit; color: inherit; }
button { padding: 0; border: 0; background: none; text-align: inherit; cursor: pointer; }
button:focus-visible, .live:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
th button::after { content: ' ↕'; opacity: .35; } th[aria-sort=ascending] button::after { content: ' ↑'; opacity: 1; }
th[aria-sort=descending] button::after { content: ' ↓'; opacity: 1; }
.asked:last-child:nth-child(odd) { grid-column: 1 / -1; }
.tiles { display: flex; flex-wrap: wrap; gap: .75rem 1rem; margin: 0 0 1.25rem; } .tiles > div { flex: 1 1 8.25rem; } .tiles dt { color: var(--quiet); font-size: .8125rem; }
.tiles dd { margin: 0; white-space: nowrap; font-size: 1.4rem; font-weight: 600; line-height: 1.25; font-variant-numeric: tabular-nums; }
@media (min-width: 66rem) { .first { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 35rem); gap: 0 2.5rem; } }
.first .plots { display: block; margin-top: 1.25rem; }
.tools { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: -.4rem 0 .75rem; font-size: .8125rem; color: var(--quiet); max-width: none; }
.tools button, .legend button:not([aria-pressed]) { color: var(--link); }
.tools input { width: 18rem; max-width: 100%; padding: .2rem .5rem; border: 1px solid var(--edge); border-radius: 6px; background: var(--paper); }
.legend button { display: flex; align-items: center; gap: .35rem; } .legend button[aria-pressed=false] { opacity: .45; text-decoration: line-through; }
.legend output { color: var(--ink); font-variant-numeric: tabular-nums; }
.sign { width: 18px; height: 0; } .sign.dot { width: 7px; height: 7px; border-radius: 4px; margin: 0 5px; }
.live > small { display: block; font-size: .6875rem; } .live > .r { text-align: right; }
.u-select { background: var(--link); opacity: .15; } .u-hz .u-cursor-x { border-right-color: var(--quiet); }
.asked svg[role=img], .asked .legend:not(.live) { display: none; }
.pointed { stroke: var(--ink); stroke-width: 1.5; opacity: 1; }
.flame g[tabindex] { cursor: pointer; } .aside { position: fixed; left: -99rem; }
@media (max-width: 40rem) {
  main { padding: 1.25rem 1rem 3rem; }
  .lead p { font-size: 1.15rem; }
  h2 { margin-top: 2.25rem; }
  thead th { white-space: nowrap; }
}
@media print { .asked svg[role=img] { display: block; } .asked .legend:not(.live) { display: flex; } .live:not(.frame), .at, .tool, .tools, .contents { display: none; } details > * { display: block; } .plot, tr { break-inside: avoid; } }
`)
