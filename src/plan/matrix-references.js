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

const number = z.number({ error: 'must be a number' })
const figures = z.tuple([number, number, number], {
  error: 'must be three numbers: average, median and maximum'
})
const ofAll = z.tuple([number, number], { error: 'must be two numbers: how many, and of how many' })

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

/** @param {Record<string, import('zod').ZodType>} parts */
const referenceOf = parts =>
  z.strictObject(Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, part.optional()])), {
    error: unknownKey(Object.keys(parts))
  })

/** REFERENCES are the published figures that rows can have, by scenario. @type {Readonly<Record<string, import('zod').ZodType>>} */
export const REFERENCES = Object.freeze({
  rendezvous: referenceOf({ rtMs: figures, cpuPercent: figures, memoryMb: figures }),
  gossip: referenceOf({ disseminationMs: number, received: ofAll, lost: ofAll }),
  profile: referenceOf({ published: number, received: number, seconds: number }),
  rotation: referenceOf({}),
  'rotation-rendezvous': referenceOf({})
})
