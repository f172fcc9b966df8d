import { z } from 'zod'

/**
 * @typedef {object} Figures - published figures of the rendezvous scenario; each list is average, median, maximum
 * @property {number[]} [rtMs]
 * @property {number[]} [cpuPercent]
 * @property {number[]} [memoryMb]
 *
 * @typedef {object} GossipFigures - published figures of the gossip scenario
 * @property {number} [disseminationMs] - average time until a message had reached everyone
 * @property {[number, number]} [received] - so many, of so many expected
 * @property {[number, number]} [lost] - so many messages, of so many published
 *
 * @typedef {object} ProfileFigures - published figures of the profile scenario
 * @property {number} [published] - messages
 * @property {number} [received] - by all hosts together
 * @property {number} [seconds] - how long the run was
 *
 * @typedef {Figures & GossipFigures & ProfileFigures} AnyFigures - those of one scenario
 */

/**
 * unknownKey says which keys there are.
 *
 * @param {string[]} known
 * @returns {(issue: { code?: string }) => string}
 */
export const unknownKey = known => issue =>
  issue.code === 'unrecognized_keys'
    ? `must be one of ${known.join(', ')}`
    : `must hold ${known.join(', ')} by name`

/**
 * referenceSchema describes the published figures that a row of a matrix can have beside it.
 *
 * @param {import('../../../scenarios/scenario.js').Published} scenario
 */
export function referenceSchema({ reference }) {
  const parts = reference(z)
  return z.strictObject(
    Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, part.optional()])),
    {
      error: unknownKey(Object.keys(parts))
    }
  )
}
