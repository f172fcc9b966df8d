import { html } from '../../kit/html.js'
import { tableOf } from '../../kit/html-table.js'
import { grouped } from '../../kit/numbers.js'
import { figure, operationsOf } from '../table.js'
import { bracketTable, latenessTable } from './lateness.js'

/**
 * @typedef {import('../../result/types.js').Result} Result
 * @typedef {import('../../result/types.js').Summary} Summary
 * @typedef {import('../../kit/html.js').Html} Html
 */

/** Above this share of its time a worker could not send all it would. */
const MUCH = 0.9

/**
 * busyBar shows how busy an event loop was.
 *
 * @param {number} utilization - 0 to 1
 */
export function busyBar(utilization) {
  const percent = Math.round(utilization * 100)
  return html`<span class="bar${utilization > MUCH ? ' much' : ''}" aria-hidden="true"><i style="width:${Math.min(100, percent)}%"></i></span>${percent} %`
}

/** @param {Summary} summary */
const spread = ({ p50, p99, max }) => [p50, p99, max].map(value => figure(value)).join(' / ')

/** doubtParts say what generator and machine had to do with the times of operations. @param {Result} result */
export const doubtParts = result => [
  generatorTable(result),
  bracketTable(operationsOf(result).map(([type, { rt }]) => /** @type {const} */ ([type, rt.all]))),
  latenessTable(result)
]

/**
 * generatorTable shows how busy the workers were, and what they added to the times they measured.
 *
 * @param {Result} result
 * @returns {Html | null} null: they did nothing that was measured
 */
function generatorTable({ run: { health } }) {
  if (health.every(({ turns }) => turns.count === 0)) return null
  const rows = health.map(({ worker, utilization, cpuPercent, turns, added }) => [
    `Worker ${worker}`,
    busyBar(utilization),
    grouped(cpuPercent),
    spread(turns),
    spread(added)
  ])
  return html`<p class="quiet">A worker is a process that holds clients. Above 90 % busy, throughput is a lower bound. <em>Turns</em> are how long
a reply could wait behind other work of its event loop; <em>added</em> is what generator and machine are reckoned to have added to each
operation. A percentile is doubtful when it is more than a tenth smaller without that: <em>*</em> the generator’s doing, <em>*m</em> the
machine’s.</p>
${tableOf(
  {
    headings: ['Worker', 'Event loop busy', 'CPU %', 'Turns p50 / p99 / max ms', 'Added p50 / p99 / max ms'],
    align: ['l', 'l', 'r', 'r', 'r'],
    rows
  },
  { label: 'Load generator' }
)}`
}
