import { present } from '../../../kit/lists.js'
import { counted, megabytes, percent, significant } from '../../../kit/numbers.js'
import { figure } from '../../../report/table.js'

/** @typedef {import('../../../result/types.js').Result} Result */

/**
 * serverNotes say where the server ran and how its memory was counted.
 *
 * @param {Result} result
 * @returns {string[]}
 */
export const serverNotes = ({ outcome: { target, server, members = [], measuredMs, dialled } }) => [
  ...place(target),
  ...memory(server),
  ...each(members, measuredMs),
  ...written(members),
  ...failovers(dialled),
  ...durability(target)
]

/** @param {NonNullable<Result['outcome']['members']>} members @param {number} measuredMs */
function each(members, measuredMs) {
  if (members.length === 0) return []
  const words = members.map(
    ({ name, cpu, memory }) =>
      `${name} ${percent(cpu.averagePercent)} % and ${megabytes(memory.averageBytes)} MB`
  )
  return [`CPU and memory on average of each: ${words.join(', ')}.`, ...served(members, measuredMs / 1000)]
}

/** @param {NonNullable<Result['outcome']['members']>} members @param {number} seconds */
function served(members, seconds) {
  const each = members.flatMap(({ name, durations }) => {
    // each server has them in the order in which it was first asked, and is compared with the others
    const types = Object.entries(durations ?? {})
      .sort(([a], [b]) => a.localeCompare(b))
      .map(
        ([type, { count, p50, p99 }]) =>
          `${significant(count / seconds)} ${type}/s (${figure(p50)} and ${figure(p99)} ms)`
      )
    return types.length === 0 ? [] : [`${name} ${types.join(' and ')}`]
  })
  return each.length === 0
    ? []
    : [`Served by each, with p50 and p99 of its own time from decoded request to reply: ${each.join(', ')}.`]
}

/** @param {NonNullable<Result['outcome']['members']>} members */
const written = members =>
  members.flatMap(({ written: work }) => {
    if (work === undefined) return []
    const seconds = work.ms / 1000
    const [all, wal] = [work.writtenBytes, work.walBytes].map(bytes => significant(bytes / 1e6 / seconds))
    const flushed = `flushed ${significant(work.fsyncs / seconds)} times a second${byCheckpoints(work)}`
    return [`The database wrote ${all} MB/s, ${wal} of it to its log, and ${flushed}.`]
  })

/** @param {{ checkpointFsyncs?: number }} work */
const byCheckpoints = ({ checkpointFsyncs }) =>
  checkpointFsyncs === undefined ? '' : `, and ${counted(checkpointFsyncs, 'file')} in checkpoints that ended`

/** @param {Result['outcome']['dialled']} dialled */
const failovers = dialled =>
  dialled === undefined
    ? []
    : [
        `Clients connected again ${counted(dialled.reconnects, 'time')}, and ${counted(dialled.failovers, 'time')} to another server than the one before.`
      ]

/** What the store promises. @param {Result['outcome']['target']} target */
function durability({ settings }) {
  const { store, durability: kept } = /** @type {Record<string, any>} */ (settings.server ?? {})
  return kept === undefined ? [] : [`Registrations are kept in ${store}: ${kept}.`]
}

/** @param {Result['outcome']['target']} target */
function place({ kind, chosenBy, container }) {
  if (container !== null) {
    const whose = kind === 'docker' ? 'Server' : 'Server of your own'
    return [`${whose} ${inContainer(container)}.`]
  }
  return chosenBy === null ? [] : [`Server in a process of its own: ${chosenBy}.`]
}

/** @param {Result['outcome']['server']} server */
function memory(server) {
  if (!server?.memoryCountedAs || server.memory.samples === 0) return []
  return [
    `Server memory: ${server.memoryCountedAs}; a process and a container are counted differently, so never compare one with the other.`
  ]
}

/**
 * inContainer says what container a server runs in.
 *
 * @param {Pick<import('../../../target/target.js').Container, 'image' | 'cpus' | 'memoryBytes'>} container
 */
export const inContainer = ({ image, ...limits }) => `in a Docker container of ${image}${limitedTo(limits)}`

/**
 * limitedTo is what a container may use, to be put behind a word for it.
 *
 * @param {Pick<import('../../../target/target.js').Container, 'cpus' | 'memoryBytes'>} limits
 */
export function limitedTo({ cpus, memoryBytes }) {
  const limited = present([
    cpus !== null && `${cpus} ${cpus === 1 ? 'core' : 'cores'}`,
    memoryBytes !== null && `${megabytes(memoryBytes)} MB`
  ])
  return limited.length === 0 ? '' : `, limited to ${limited.join(' and ')}`
}
