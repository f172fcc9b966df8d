// The style sheet of all pages.
import { Html } from '../../kit/safe-text.js'

/** Colours of both themes. Those of plots differ in lightness too, and have a contrast of 3:1 or more against the paper. */
const LIGHT = `
  --paper: #ffffff; --wash: #f5f6f8; --ink: #1c1e21; --quiet: #59616d; --grid: #e3e6ea; --edge: #d3d8de; --link: #0b5394;
  --good: #0a6b4a; --good-wash: #e9f6f0; --mind: #8a5300; --mind-wash: #fdf4e3; --failed: #a8123a; --failed-wash: #fcebef;
  --series-1: #0b65a3; --series-2: #c77700; --series-3: #0a7d5c; --series-4: #9c4a8b; --series-5: #7a6a00; --series-6: #5c6470;
  --heat-1: #d6e6f4; --heat-2: #abcfe6; --heat-3: #72b0d7; --heat-4: #3e8dc4; --heat-5: #1865ac; --heat-6: #08306b;
  --on-low: #1c1e21; --on-middle: #10131a; --on-high: #ffffff;`

const DARK = `
  --paper: #14171b; --wash: #1c2026; --ink: #e6e9ed; --quiet: #a0a9b5; --grid: #2a3038; --edge: #39414b; --link: #7cbcf0;
  --good: #5fd3a4; --good-wash: #12281f; --mind: #f0b85a; --mind-wash: #2b2212; --failed: #ff7d97; --failed-wash: #30161c;
  --series-1: #4ba3e3; --series-2: #f2a83b; --series-3: #35c495; --series-4: #d98ac6; --series-5: #c9b945; --series-6: #9aa4b1;
  --heat-1: #1b3350; --heat-2: #1f4c7c; --heat-3: #2a6cae; --heat-4: #4b93d3; --heat-5: #87bdec; --heat-6: #d9ecfd;
  --on-low: #ffffff; --on-middle: #10131a; --on-high: #10131a;`

/** STYLE is the style sheet of every page. */
export const STYLE = new Html(`
:root { color-scheme: light dark; ${LIGHT} }
@media (prefers-color-scheme: dark) { :root { ${DARK} } }
@media print { :root { color-scheme: light; ${LIGHT} } }
* { box-sizing: border-box; } [hidden] { display: none !important; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 3rem; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif; }
main { max-width: 84rem; margin: 0 auto; padding: 2rem 1.5rem 3rem; }
h1, h2, h3 { margin: 0; line-height: 1.25; font-weight: 600; overflow-wrap: anywhere; }
h1 { font-size: 1.05rem; } h2 { font-size: 1.15rem; margin-bottom: .6rem; } h3 { font-size: .95rem; }
section { margin: 0 0 2.25rem; }
p { margin: 0 0 .6rem; max-width: 50rem; }
a { color: var(--link); }
code, pre { font: .86em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
code { white-space: nowrap; } pre code { white-space: inherit; }
pre { margin: 0 0 .5rem; padding: .65rem .85rem; background: var(--wash); border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; }
small, .quiet { color: var(--quiet); font-size: .875rem; }
.when { margin: .15rem 0 0; overflow-wrap: anywhere; }
.lead { margin: 1.25rem 0; font-size: 1.3rem; line-height: 1.4; text-wrap: pretty; }
.first { margin-bottom: 2rem; } .first > * { min-width: 0; }
.tiles { display: flex; flex-wrap: wrap; gap: .75rem 1rem; margin: 0 0 1.25rem; } .tiles > div { flex: 1 1 7.5rem; }
.tiles dt, .facts dt { color: var(--quiet); font-size: .8125rem; }
.tiles dd { margin: 0; font-size: 1.45rem; font-weight: 600; line-height: 1.25; font-variant-numeric: tabular-nums; }
.verdict { margin: 0 0 1rem; padding: 0; list-style: none; display: grid; gap: .4rem; max-width: 60rem; }
.verdict li { display: flex; gap: .6rem; align-items: baseline; padding: .45rem .75rem; border-radius: 6px; font-size: .9375rem; }
.verdict span { min-width: 0; overflow-wrap: anywhere; }
.verdict b { flex: none; width: 1em; text-align: center; }
.good { background: var(--good-wash); } .good b { color: var(--good); }
.mind { background: var(--mind-wash); } .mind b { color: var(--mind); }
.bad { background: var(--failed-wash); } .bad b { color: var(--failed); }
#_lost { padding: .45rem .75rem; border-radius: 6px; }
.below > div { min-width: 0; }
.contents { position: sticky; top: 0; z-index: 3; display: flex; gap: .25rem 1.1rem; overflow-x: auto; margin: 0 0 1.5rem; padding: .55rem 0;
  background: var(--paper); border-bottom: 1px solid var(--edge); font-size: .875rem; line-height: 1.35; }
.contents a { flex: none; color: var(--quiet); text-decoration: none; } .contents a:hover { text-decoration: underline; }
.contents a[data-seen] { color: var(--ink); }
.scroll { width: fit-content; max-width: 100%; overflow-x: auto; border: 1px solid var(--edge); border-radius: 6px;
  background: linear-gradient(to right, var(--paper) 40%, transparent) 0 0 / 3rem 100% no-repeat local,
    linear-gradient(to left, var(--paper) 40%, transparent) 100% 0 / 3rem 100% no-repeat local,
    linear-gradient(to right, var(--edge), transparent) 0 0 / 1rem 100% no-repeat scroll,
    linear-gradient(to left, var(--edge), transparent) 100% 0 / 1rem 100% no-repeat scroll; }
.scroll.tall { max-height: 22rem; overflow-y: auto; margin: .4rem 0; }
table { border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums; }
th, td { padding: .35rem .5rem; text-align: left; white-space: nowrap; font-weight: inherit; vertical-align: top; }
th:first-child, td:first-child { padding-left: .75rem; } th:last-child, td:last-child { padding-right: .75rem; }
thead th { color: var(--quiet); font-weight: 500; white-space: normal; vertical-align: bottom; background: var(--wash); border-bottom: 1px solid var(--edge); }
tbody tr + tr > * { border-top: 1px solid var(--grid); }
.r { text-align: right; }
.wrap { white-space: normal; min-width: 14rem; overflow-wrap: anywhere; }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(8.5rem, 1fr)); margin: 0; border: 1px solid var(--edge); border-radius: 6px;
  overflow: hidden; }
.facts > div { padding: .4rem .75rem; box-shadow: 0 0 0 .5px var(--grid); } .facts dd { margin: 0; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.tables { display: flex; flex-wrap: wrap; align-items: flex-start; gap: 0 2.5rem; }
.tables > * { min-width: min(100%, 18rem); max-width: 100%; } .tables > section > p { width: 0; min-width: 100%; } .tables > .tables { flex: 1; } #_repeat { flex: 1 1 100%; }
.plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 26rem), 1fr)); gap: 2.25rem 2rem; align-items: start; margin-bottom: 2.25rem; }
.plot { margin: 0; min-width: 0; scroll-margin-top: 3rem; }
.plots .across { grid-column: 1 / -1; }
.plots > .plot:only-child { max-width: 48rem; }
.plot figcaption p { margin: .1rem 0 0; color: var(--quiet); font-size: .8125rem; }
.plot > small { display: block; font-size: .75rem; }
.grid .live { margin-top: .4rem; } .live { position: relative; border-radius: 4px; } .room { position: relative; min-width: 0; }
.live:focus-visible, button:focus-visible, summary:focus-visible, .scroll:focus-visible, .contents:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.tip { position: absolute; z-index: 2; left: 0; top: 0; max-width: min(27rem, 92%); padding: .3rem .55rem; border: 1px solid var(--edge); border-radius: 6px;
  background: var(--paper); box-shadow: 0 2px 8px #0003; font-size: .8125rem; line-height: 1.45; font-variant-numeric: tabular-nums;
  pointer-events: none; opacity: 0; overflow-wrap: anywhere; }
.tip.shown { opacity: 1; } .tip > :first-child { color: var(--quiet); }
.legend { display: flex; flex-wrap: wrap; gap: .1rem .9rem; margin: .35rem 0 .25rem; max-height: 6.5rem; overflow-y: auto; font-size: .8125rem; color: var(--quiet); }
.legend > * { display: flex; align-items: center; gap: .35rem; }
button { font: inherit; color: inherit; padding: 0; border: 0; background: none; text-align: inherit; cursor: pointer; }
.legend button { min-height: 1.5rem; } .legend button:hover { color: var(--ink); }
.legend button[aria-pressed=false] { text-decoration: line-through; } .legend button[aria-pressed=false] i { opacity: .3; }
.sign { width: 18px; height: 0; } .dot { display: inline-block; width: 9px; height: 9px; border-radius: 2px; margin-right: .3rem; } .legend .dot { margin: 0; }
.shades { width: 6rem; height: .7rem; border-radius: 2px;
  background: linear-gradient(to right, var(--heat-1), var(--heat-2), var(--heat-3), var(--heat-4), var(--heat-5), var(--heat-6)); }
.tools { display: flex; align-items: baseline; flex-wrap: wrap; gap: .1rem 1rem; margin: .3rem 0 0; font-size: .8125rem; color: var(--quiet); }
.tools button, .tools summary, summary { color: var(--link); cursor: pointer; min-height: 1.5rem; } .tools details { min-width: 0; } .tools details[open] { flex-basis: 100%; }
.tools summary { display: inline-block; } .tools summary::after { content: ' ▾'; }
th button::after { content: ' ↕'; opacity: .4; } th[aria-sort=ascending] button::after { content: ' ↑'; opacity: 1; }
th[aria-sort=descending] button::after { content: ' ↓'; opacity: 1; }
.u-select { background: var(--link); opacity: .15; } .u-hz .u-cursor-x, .u-hz .u-cursor-y { border-color: var(--quiet); }
.frames { position: relative; overflow: hidden; font: .75rem/18px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.frames > div { position: absolute; height: 18px; padding: 0 3px; overflow: hidden; white-space: nowrap; border-radius: 2px; cursor: pointer; }
.frames > .marked, .cells .marked { outline: 2px solid var(--ink); outline-offset: -2px; }
.w0 { background: var(--grid); }
${[1, 2, 3, 4, 5, 6].map(n => `.w${n} { background: color-mix(in srgb, var(--series-${n}) 30%, var(--paper)); }`).join(' ')}
.cells td, .cells thead th { text-align: center; } .cells thead > tr > * { background: none; border: 0; } .cells tbody tr > * { border: 1px solid var(--paper); }
.cells.short td { padding: 0; width: 14px; min-width: 8px; height: 14px; } .cells.short th { padding-block: 0; }
.cells .h1, .cells .h2, .cells .h3 { color: var(--on-low); } .cells .h4 { color: var(--on-middle); } .cells .h5, .cells .h6 { color: var(--on-high); }
${[1, 2, 3, 4, 5, 6].map(n => `.h${n} { background: var(--heat-${n}); }`).join(' ')}
details > * + * { margin-top: .4rem; }
footer { padding-top: 1rem; border-top: 1px solid var(--edge); }
@media (min-width: 66rem) {
  .first { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 36rem); gap: 0 2.5rem; }
  .first > :only-child, .first > :has(+ :empty) { grid-column: 1 / -1; }
  .below { display: grid; grid-template-columns: 12rem minmax(0, 1fr); gap: 0 2rem; }
  .contents { display: block; align-self: start; max-height: 100vh; overflow: hidden auto; padding: 1rem .25rem 1rem 0; margin: 0; border: 0; scrollbar-width: thin; }
  .contents a { display: block; padding: .18rem 0 .18rem .6rem; border-left: 2px solid var(--grid); } .contents a[data-seen] { border-color: var(--link); }
  html, .plot { scroll-padding-top: 1rem; scroll-margin-top: 1rem; }
}
@media (max-width: 40rem) { tbody th { white-space: normal; min-width: 7rem; max-width: 11rem; overflow-wrap: anywhere; }
  main { padding: 1.25rem 1rem 2rem; } .lead { font-size: 1.15rem; } }
@media print { .tools, .tip, .contents { display: none; } .below { display: block; } .plot, tr { break-inside: avoid; } .uplot, .uplot canvas { max-width: 100%; } }
`)
