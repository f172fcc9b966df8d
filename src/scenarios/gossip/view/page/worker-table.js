import { html } from '../../../../kit/html.js'
import { tableOf } from '../../../../kit/html-table.js'
import { megabytes, percent } from '../../../../kit/numbers.js'
import { busyBar } from '../../../../report/page/generator.js'
import { figure } from '../../../../report/table.js'
import { isSimulated } from '../is-simulated.js'

/**
 * @typedef {import('../../gossip-types.js').GossipResult} GossipResult
 * @typedef {import('../../../../result/types.js').Summary} Summary
 * @typedef {import('../../../../kit/html.js').Html} Html
 */

/** @param {Summary | undefined} summary */
const spread = summary =>
  ['p50', 'p99', 'max'].map(key => figure(summary?.[/** @type {'p50'} */ (key)])).join(' / ')

/**
 * workerTable shows how busy the processes were that held the nodes.
 *
 * @param {GossipResult} result
 * @returns {Html | null} null: nothing is known of them, or nothing waits for them in virtual time
 */
export function workerTable({ plan, run: { health }, outcome: { resources } }) {
  if (health.length === 0 || isSimulated(plan)) return null
  const rows = health.map(({ worker, utilization, turns }) => {
    const own = resources.find(entry => entry.worker === worker)
    return [
      `Worker ${worker}`,
      busyBar(utilization),
      [own?.cpu.averagePercent, own?.cpu.maxPercent].map(percent).join(' / '),
      [own?.memory.averageBytes, own?.memory.maxBytes].map(bytes => megabytes(bytes)).join(' / '),
      spread(turns)
    ]
  })
  return html`<p class="quiet">A worker is a process that holds nodes; they share its event loop. Where it is busy all the time, nodes wait for one
another, and the figures are the machine’s, not the protocol’s. <em>Turns</em> are how long a message could wait behind other work of
the event loop.</p>
${tableOf(
  {
    headings: ['Worker', 'Event loop busy', 'CPU avg/max %', 'Memory avg/max MB', 'Turns p50 / p99 / max ms'],
    align: ['l', 'l', 'r', 'r', 'r'],
    rows
  },
  { label: 'Workers' }
)}`
}
