import { grouped, spell } from './numbers.js'
import { loadModel } from './rendezvous-notes.js'

/**
 * @typedef {import('../result/types.js').Result} Result
 * @typedef {import('../result/matrix-folder.js').TableRecord} TableRecord
 */

/** What the kinds of target are called. @type {Record<string, string>} */
const SERVERS = {
  process: 'ours, in memory, as a process of its own',
  docker: 'ours, in memory, in a Docker container',
  address: 'one that was running already'
}

const TOOL = 'libp2p-loadtest'

/** @param {string[]} texts */
const distinct = texts => [...new Set(texts)].join('; ')

/** @param {Result[]} results */
function dates(results) {
  const days = results.map(({ run }) => run.startedAt.slice(0, 10)).sort()
  return [...new Set([days[0], days[days.length - 1]])].join(' to ')
}

/** @param {Result} result */
function machine({ run: { machine } }) {
  const { cpu, cores, memoryBytes, platform, arch } = machine
  return `${cores} × ${cpu}, ${(memoryBytes / 1e9).toFixed(1)} GB, ${platform} ${arch}`
}

/** @param {Result} result */
function versions({ run: { versions } }) {
  const { [TOOL]: tool, node, ...packages } = versions
  const named = Object.entries(packages).map(([name, version]) => `${name} ${version}`)
  return `${[`${TOOL} ${tool}`, `Node ${node}`.replace('Node v', 'Node '), ...named].join(', ')}`
}

/** @param {Result} result */
const server = ({ outcome: { target } }) => SERVERS[target.kind] ?? target.kind

/** @param {Result} result */
const clients = ({ plan: { workers, seed } }) =>
  `in ${grouped(workers)} ${workers === 1 ? 'process' : 'processes'} beside the server, TCP with Noise and Yamux, seed ${seed}`

/** @param {Result} result */
function protocol({ plan: { warmupMs, minDurationMs, durationMs } }) {
  const warmup =
    warmupMs === 0 ? 'no warm-up' : `a warm-up of ${spell(warmupMs)} or longer, which is not counted`
  const rounds =
    durationMs !== null
      ? `${spell(durationMs)} of operations`
      : minDurationMs === 0
        ? 'one round of the operations'
        : `rounds of the operations, each from the same registrations, until ${spell(minDurationMs)} or more were measured`
  return `a server started for the row alone, ${warmup}, then ${rounds}`
}

/** @param {Result[]} results */
function measured(results) {
  if (results.length === 0) return ['- Nothing was measured yet.']
  return [
    `- Date: ${dates(results)}`,
    `- Machine: ${distinct(results.map(machine))}`,
    `- Versions: ${distinct(results.map(versions))}`,
    `- Server: ${distinct(results.map(server))}`,
    `- Clients: ${distinct(results.map(clients))}`,
    `- Each row: ${distinct(results.map(protocol))}`,
    `- ${distinct(results.map(loadModel))} Operations without success are part of the times and counted under Errors.`
  ]
}

/** @param {TableRecord} table */
function published({ source, differences, rows }) {
  if (rows.every(({ reference }) => reference === null)) return []
  return [
    '',
    `**Published figures** stand behind a slash: *measured / published*. They come from ${source ?? 'the matrix file'}. They are not like for like, and no factor between the two means anything:`,
    '',
    ...differences.map(difference => `- ${difference}`)
  ]
}

/** @param {number} scale */
const scaled = scale =>
  scale === 1
    ? []
    : [
        '',
        `**Scale ${scale}**: fewer operations and less time than the cases ask for, with the same clients. These are trial figures.`
      ]

/**
 * matrixHead says what stands in the table of a matrix: what was measured, how, on what, and what it must not be taken for.
 *
 * @param {TableRecord} table
 * @param {Result[]} results - of its rows, as far as there are any
 * @param {number} scale
 * @returns {string[]} lines
 */
export const matrixHead = (table, results, scale) => [
  `# ${table.title}`,
  '',
  ...(table.description === '' ? [] : [table.description, '']),
  '**Measured**',
  '',
  ...measured(results),
  ...scaled(scale),
  ...published(table)
]
