import { Html, html } from '../../../../kit/html.js'
import { flameGraph, flameLegend } from '../flame-graph.js'

/** @typedef {import('../../measure/folded.js').FoldedCall} FoldedCall */

/** Letters keep their size, so that it is drawn for boxes of three widths. */
const WIDTHS = { wide: 1180, middle: 660, narrow: 340 }

/** OF_TIME is a flame graph of busy time. */
const OF_TIME = {
  id: 'flame-graph',
  title: 'Flame graph',
  of: 'the busy time of all sampled workers',
  write: /** @type {((amount: number) => string) | undefined} */ (undefined)
}

/**
 * flameFigure shows a tree of calls.
 *
 * @param {FoldedCall} folded
 * @param {typeof OF_TIME} [what] - is drawn
 * @returns {Html | null} null: there is nothing in it
 */
export function flameFigure(folded, { id: ID, title: TITLE, of, write } = OF_TIME) {
  if (folded.totalMs === 0) return null
  const description = `What was called by what, all workers together: ${flameLegend(folded)
    .map(({ category }) => category)
    .join(', ')}`
  const drawn = Object.entries(WIDTHS).map(([name, width]) => {
    const svg = flameGraph(folded, { id: `${ID}-${name}`, title: TITLE, description, width, write })
    return html`<div class="${name}">${new Html(svg)}</div>\n`
  })
  return html`<figure class="plot flame" id="${ID}">
<figcaption><h3>${TITLE}</h3><p>Callers above what they call, each as wide as its share of ${of}. What a function
did itself is where nothing stands beneath it. Point at one for its name, package and times.</p></figcaption>
<ul class="legend">${flameLegend(folded).map(
    ({ category, colour }) =>
      html`<li><svg viewBox="0 0 18 12" aria-hidden="true"><path d="M3 0H15V12H3Z" fill="${colour}"/></svg>${category}</li>`
  )}</ul>
<div class="frame">
${drawn}</div>
</figure>
`
}
