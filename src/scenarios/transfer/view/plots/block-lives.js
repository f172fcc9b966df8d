import { counted, significant } from '../../../../kit/numbers.js'
import { amount } from '../../../../kit/plots/axes.js'
import { quantity, seriesPlot } from '../../../../kit/plots/series-plot.js'
import { SERIES } from '../../../../kit/plots/theme.js'
import { groupedBy } from './grouped-rows.js'
import { lineId, lineWords } from './line-words.js'

/**
 * @typedef {import('../../../../kit/plots/theme.js').Plot} Plot
 * @typedef {import('./transfer-rows.js').BlockTime} BlockTime
 */

/** More blocks than there are rows of pixels cannot be told apart. */
const MOST_BLOCKS = 200

/** Stretches of a block's life. */
const STRETCHES = /** @type {const} */ ([
  ['queued, not sent yet', 'queuedMs', 'sentMs', SERIES[1]],
  ['under way', 'sentMs', 'receivedMs', SERIES[0]],
  ['received, not stored yet', 'receivedMs', 'storedMs', SERIES[2]]
])

/**
 * blockLives draw what became of each block and when, a panel for each way on each line.
 *
 * @param {readonly BlockTime[]} blocks
 * @returns {Plot[]}
 */
export const blockLives = blocks =>
  groupedBy(blocks, block => `${block.way} ${lineId(block)}`).map(ofOneWay => panel(ofOneWay))

/** @param {readonly BlockTime[]} all - of a way on a line @returns {Plot} */
function panel(all) {
  const [first] = all
  const every = Math.ceil(all.length / MOST_BLOCKS)
  const rows = all.flatMap((block, place) => (place % every === 0 ? [{ ...block, block: place + 1 }] : []))
  const stored = all.flatMap(({ storedMs }) => (storedMs === null ? [] : [storedMs]))
  return seriesPlot({
    id: `blocks-${first.way}-${lineId(first)}`,
    title: `Lives of blocks: ${first.way}, ${lineWords(first)}`,
    caption: `From being queued at the provider to being stored, in the order they were queued, in the first repeat.${every === 1 ? '' : ` One of ${every} blocks is drawn.`}`,
    description: `Times of ${counted(all.length, 'block')}${stored.length === 0 ? ', none of them stored' : `; the last was stored after ${significant(Math.max(...stored))} ms`}.`,
    x: amount('Time, ms'),
    y: {
      type: 'quantitative',
      scale: { zero: false, nice: false, reverse: true },
      axis: { title: 'Block', format: ',~f', tickMinStep: 1 }
    },
    series: STRETCHES.map(([label, from, to, colour]) => ({
      label,
      colour,
      mark: 'area',
      values: rows.flatMap(row =>
        row[from] === null || row[to] === null
          ? []
          : [{ block: row.block, label, from: row[from], to: row[to] }]
      ),
      fields: { x: 'from', x2: 'to', y: 'block' },
      look: { type: 'rule', opacity: 1, strokeWidth: rows.length > 60 ? 1 : 3 },
      encoding: { y: quantity('block') }
    })),
    columns: {
      Block: ({ block }) => block,
      'it was': ({ label }) => label,
      'From, ms': ({ from }) => from,
      'To, ms': ({ to }) => to
    }
  })
}
