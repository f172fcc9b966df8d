import { present } from '../../../kit/lists.js'
import { megabytes } from '../../../kit/numbers.js'

/** @typedef {import('../../../result/types.js').Result} Result */

/**
 * serverNotes say where the server ran and how its memory was counted.
 *
 * @param {Result} result
 * @returns {string[]}
 */
export const serverNotes = ({ outcome: { target, server } }) => [...place(target), ...memory(server)]

/** @param {Result['outcome']['target']} target */
function place({ kind, chosenBy, container }) {
  if (container !== null) {
    const whose = kind === 'docker' ? 'Server' : 'Server of your own'
    return [`${whose} in a Docker container of ${container.image}${limits(container)}.`]
  }
  return chosenBy === null ? [] : [`Server in a process of its own: ${chosenBy}.`]
}

/** @param {import('../../../target/target.js').Container} container */
function limits({ cpus, memoryBytes }) {
  const limited = present([
    cpus !== null && `${cpus} ${cpus === 1 ? 'core' : 'cores'}`,
    memoryBytes !== null && `${megabytes(memoryBytes)} MB`
  ])
  return limited.length === 0 ? '' : `, limited to ${limited.join(' and ')}`
}

/** @param {Result['outcome']['server']} server */
function memory(server) {
  if (!server?.memoryCountedAs || server.memory.samples === 0) return []
  return [
    `Server memory: ${server.memoryCountedAs}; a process and a container are counted differently, so never compare one with the other.`
  ]
}
