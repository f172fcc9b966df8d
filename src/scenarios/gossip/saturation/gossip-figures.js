import { MISSING, percent, significant } from '../../../kit/numbers.js'
import { share } from '../../../report/share.js'
import { figure } from '../../../report/table.js'
import { LINES } from './gossip-point.js'

/**
 * @typedef {import('./gossip-point.js').GossipPoint} GossipPoint
 *
 * @typedef {readonly [heading: string, cell: (point: GossipPoint) => string]} Column
 */

/** @param {number | null | undefined} part */
const percentOf = part => percent(part == null ? null : part * 100)

/** @param {GossipPoint['model']} model @returns {number | null} */
function mostUsed(model) {
  const shares = LINES.flatMap(line => model?.[line]?.average ?? [])
  return shares.length === 0 ? null : Math.max(...shares)
}

/** @type {readonly Column[]} */
const CARRIED = [
  ['Deliveries /s', ({ deliveries, durationMs }) => significant((deliveries * 1000) / durationMs)],
  ['Deliveries in time %', ({ deliveries, dueDeliveries }) => share(deliveries, dueDeliveries)],
  ['Dissemination avg ms', ({ rt }) => figure(rt.avg)],
  ['p50 ms', ({ rt }) => figure(rt.p50)],
  ['p99 ms', ({ rt }) => figure(rt.p99)],
  ['Max ms', ({ rt }) => figure(rt.max)]
]

/** @type {readonly Column[]} */
const REAL = [
  ...CARRIED,
  ['Busiest process %', ({ utilization }) => percentOf(utilization)],
  ['CPU of all %', ({ cpuPercent }) => percent(cpuPercent)]
]

/** @type {readonly Column[]} */
const SIMULATED = [
  ...CARRIED,
  ['Lines used %', ({ model }) => percentOf(mostUsed(model))],
  ['Processing %', ({ model }) => percentOf(model?.processing?.average)]
]

/**
 * gossipFigures are the columns of what a gossip network made of a load.
 *
 * @param {boolean} simulated
 * @returns {{ headings: readonly string[], cells: (point: GossipPoint | null) => string[] }}
 */
export function gossipFigures(simulated) {
  const columns = simulated ? SIMULATED : REAL
  return {
    headings: columns.map(([heading]) => heading),
    cells: point => columns.map(([, cell]) => (point === null ? MISSING : cell(point)))
  }
}
