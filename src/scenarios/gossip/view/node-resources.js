import { grouped, MISSING, megabytes, percent } from '../../../kit/numbers.js'
import { asMarkdown, tableFrom } from '../../../kit/table.js'
import { csvOf } from '../../../report/csv.js'

/**
 * @typedef {Pick<import('../gossip-types.js').GossipResult, 'plan' | 'outcome'>} Result
 * @typedef {import('../gossip-types.js').WorkerResources} WorkerResources
 * @typedef {import('../gossip-types.js').Used} Used
 * @typedef {'warmup' | 'publish' | 'cooldown'} Phase
 */

/** @type {readonly (readonly [Phase, string])[]} */
const PHASES = [
  ['warmup', 'warm-up'],
  ['publish', 'publish'],
  ['cooldown', 'cool-down']
]

/** More nodes than this are told of by how many they are. */
const NAMED = 5

/** @param {{ network: string }} plan */
const heldIn = ({ network }) => (network === 'docker' ? 'container' : 'process')

/**
 * whoseName is whom figures of a worker are of: a node that is alone in it, or all that share it.
 *
 * @param {{ network: string }} plan
 * @param {Pick<WorkerResources, 'worker' | 'nodes'>} of
 */
export function whoseName(plan, { worker, nodes = [] }) {
  if (nodes.length === 1) return `node ${nodes[0]}`
  const who = nodes.length > NAMED ? `${grouped(nodes.length)} nodes` : `nodes ${nodes.join(', ')}`
  return `${heldIn(plan)} ${worker} (${who} together)`
}

const kilobytes = (/** @type {number} */ bytes) => grouped(bytes / 1e3)

/** @param {Used | null | undefined} used */
const cpu = used =>
  used == null ? MISSING : [used.cpu.averagePercent, used.cpu.maxPercent].map(percent).join(' / ')

/** @param {Used | null | undefined} used */
const memory = used =>
  used == null
    ? MISSING
    : [used.memory.averageBytes, used.memory.maxBytes].map(bytes => megabytes(bytes)).join(' / ')

/** @param {Used | null | undefined} used */
const traffic = used =>
  used?.traffic === undefined
    ? MISSING
    : [used.traffic.receivedBytes, used.traffic.sentBytes].map(kilobytes).join(' / ')

/** @type {readonly (readonly [heading: string, cell: typeof cpu])[]} */
const KINDS = [
  ['CPU avg/max %', cpu],
  ['Held back %', used => percent(used?.cpu.heldBackPercent)],
  ['Memory avg/max MB', memory],
  ['In/out kB', traffic]
]

/** @param {Result} result */
const withPhases = ({ outcome }) => outcome.resources.filter(({ phases }) => phases !== undefined)

/** resourcesKnown says whether it is known what nodes used by phase. @param {Result} result */
export const resourcesKnown = result => withPhases(result).length > 0

/**
 * resourceCells are what each node, or all that share a process or a container, used in each phase.
 *
 * @param {Result} result
 * @returns {import('../../../kit/table.js').Table}
 */
export function resourceCells(result) {
  const all = withPhases(result)
  const kinds = KINDS.filter(([, cell]) =>
    all.some(({ phases }) => PHASES.some(([phase]) => cell(phases?.[phase]) !== MISSING))
  )
  return tableFrom(
    [
      {
        heading: 'Of',
        align: 'l',
        cell: (/** @type {WorkerResources} */ row) => whoseName(result.plan, row)
      },
      ...kinds.flatMap(([heading, cell]) =>
        PHASES.map(([phase, name]) => ({
          heading: `${heading}, ${name}`,
          cell: (/** @type {WorkerResources} */ { phases }) => cell(phases?.[phase])
        }))
      )
    ],
    all
  )
}

/** resourceParts are the part of a run's markdown page about it. @param {Result} result */
export const resourceParts = result =>
  resourcesKnown(result) ? ['## Resources', asMarkdown(resourceCells(result))] : []

/** @typedef {[of: (used: Used) => number | null | undefined, write: (value: number) => string, unit: string, words: string]} Said */

/** @type {readonly Said[]} */
const SAID = [
  [({ cpu }) => cpu.averagePercent, percent, '%', 'CPU'],
  [({ cpu }) => cpu.maxPercent, percent, '% at most', ''],
  [({ cpu }) => cpu.heldBackPercent, percent, '% of the time', 'held back'],
  [({ memory }) => memory.averageBytes, megabytes, 'MB', 'memory'],
  [({ memory }) => memory.maxBytes, megabytes, 'MB at most', ''],
  [({ traffic }) => traffic?.receivedBytes, kilobytes, 'kB', 'in'],
  [({ traffic }) => traffic?.sentBytes, kilobytes, 'kB', 'out']
]

/** @param {readonly Used[]} used @returns {(said: Said) => string[]} from the least to the most of them; none where it is not known */
const spanOf =
  used =>
  ([of, write, unit, words]) => {
    const known = used.map(of).filter(value => value != null)
    if (known.length === 0) return []
    const ends = new Set([Math.min(...known), Math.max(...known)].map(value => write(value)))
    return [`${words} ${[...ends].join(' to ')} ${unit}`.trim()]
  }

/**
 * resourceLines say it in a line for each phase.
 *
 * @param {Result} result
 * @returns {string[]}
 */
export function resourceLines(result) {
  const all = withPhases(result)
  const alone = all.every(({ nodes }) => nodes?.length === 1)
  const who = alone ? 'Each node' : `Each ${heldIn(result.plan)}, its nodes together,`
  return PHASES.flatMap(([phase, name]) => {
    const used = all.flatMap(({ phases }) => phases?.[phase] ?? [])
    // a phase can be over at once
    const said = SAID.flatMap(spanOf(used))
    return said.length === 0 ? [] : `${who} in the ${name} phase: ${said.join(', ')}.`
  })
}

/**
 * resourcesCsv has a row for each phase of each node, or of all that share a process or a container.
 *
 * @param {Result} result
 */
export const resourcesCsv = result =>
  csvOf(
    [
      'of',
      'nodes',
      'phase',
      'cpu.averagePercent',
      'cpu.maxPercent',
      'cpu.heldBackPercent',
      'memory.averageBytes',
      'memory.maxBytes',
      'traffic.receivedBytes',
      'traffic.sentBytes'
    ],
    withPhases(result).flatMap(row =>
      PHASES.map(([phase]) => ({
        ...row.phases?.[phase],
        of: whoseName(result.plan, row),
        nodes: (row.nodes ?? []).join(' '),
        phase
      }))
    )
  )
