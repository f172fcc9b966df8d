import { grouped, megabytes, percent, significant } from '../../../kit/numbers.js'
import { cpuMsPerDelivery, workerResources } from '../../../result/machine-figures.js'
import { hopFigures } from '../../../scenarios/gossip/view/hop-figures.js'
import { TIMES } from '../../../scenarios/gossip/view/table.js'
import { figuresSideBySide } from './figures-side-by-side.js'

/**
 * @typedef {import('../../../scenarios/gossip/gossip-types.js').GossipResult} GossipResult
 * @typedef {import('../../../scenarios/gossip/gossip-types.js').WorkerResources} WorkerResources
 * @typedef {import('../../../result/types.js').Summary} Summary
 * @typedef {import('../../../kit/table.js').Table} Table
 * @typedef {import('./figures-side-by-side.js').FigureRow<GossipResult>} Row
 */

/** @param {string} name @param {(result: GossipResult) => number | null} of @param {(value: number) => string} write @returns {Row} */
const row = (name, of, write) => ({ name, read: result => ({ value: of(result) }), write })

/** @param {string} name @param {(result: GossipResult) => Summary} of @returns {Row[]} */
const times = (name, of) =>
  TIMES.map(([key, title]) => ({
    name: `${name} ${title}, ms`,
    read: result => {
      const figure = of(result)[key]
      return { value: figure?.ms ?? null, atLeast: figure?.censored, doubtful: figure?.doubtful }
    },
    write: significant
  }))

/** @param {number | null} share */
const inPercent = share => (share === null ? null : 100 * share)

/** Over all workers. @param {GossipResult} result @param {(worker: WorkerResources) => number | null} of */
function summed(result, of) {
  const each = workerResources(result).map(of)
  const known = each.filter(value => value !== null)
  return known.length === 0 || known.length < each.length
    ? null
    : known.reduce((sum, value) => sum + value, 0)
}

/** @type {readonly Row[]} */
const ROWS = Object.freeze([
  row('Messages', ({ outcome }) => outcome.messages.published, grouped),
  row('Deliveries', ({ outcome }) => outcome.delivery.delivered, grouped),
  row('Delivered, %', ({ outcome }) => inPercent(outcome.delivery.ratio), significant),
  row(
    'Messages that reached everyone, %',
    ({ outcome }) => inPercent(outcome.delivery.completeRatio),
    significant
  ),
  ...times('Latency', ({ outcome }) => outcome.latency.all),
  ...times('Dissemination', ({ outcome }) => outcome.dissemination.all),
  row('Last delivery hop avg', ({ outcome }) => hopFigures(outcome.hops.last)?.avg ?? null, significant),
  row('Duplicates per delivery', ({ outcome }) => outcome.cost.duplicatesPerDelivery, significant),
  row('Bytes per delivery', ({ outcome }) => outcome.cost.bytesPerDelivery, significant),
  row('RPCs per delivery', ({ outcome }) => outcome.cost.rpcsPerDelivery, significant),
  row('Control messages per delivery', ({ outcome }) => outcome.cost.controlPerDelivery, significant),
  row('CPU per delivery, ms', cpuMsPerDelivery, significant),
  row('CPU of all workers avg, %', result => summed(result, ({ cpu }) => cpu.averagePercent), percent),
  row(
    'Memory of all workers avg, MB',
    result => summed(result, ({ memory }) => memory.averageBytes),
    megabytes
  ),
  row('Memory of all workers max, MB', result => summed(result, ({ memory }) => memory.maxBytes), megabytes),
  row('Mesh formed after, ms', ({ outcome }) => outcome.mesh.formedAfterMs, significant),
  row('Dialling p50, ms', ({ outcome }) => outcome.topology.dialMs.p50?.ms ?? null, significant),
  row('Aborted streams', ({ outcome }) => outcome.streams.aborted, grouped)
])

/**
 * deliveriesSideBySide are the cells of all figures of gossip runs.
 *
 * @param {readonly { results: readonly GossipResult[] }[]} sides - the first is the base
 * @returns {Table}
 */
export const deliveriesSideBySide = sides =>
  figuresSideBySide(
    'Gossip',
    ROWS,
    sides.map(({ results }) => results)
  )
