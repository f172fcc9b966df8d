import { sumOf } from '../../kit/lists.js'
import { GRAFT_REASONS, PRUNE_REASONS } from './metrics-register.js'

/**
 * BYTE_CAUSES are what bytes of RPCs are sent for: own messages when they are published, messages of others that are passed on, messages
 * that a peer asked for (IWANT), control messages by their kinds, and changes of subscriptions. `other`: an RPC with none of them.
 */
export const BYTE_CAUSES = /** @type {const} */ ([
  ...['publish', 'forward', 'iwantAnswer'],
  ...['ihave', 'iwant', 'graft', 'prune', 'idontwant', 'subscriptions', 'other']
])

/**
 * DUPLICATE_CAUSES are why a node was sent a message that it had already, by the first that holds:
 *
 * - `iwantAnswer`: it had asked this peer for the message (IWANT);
 * - `mesh`: the peer is in its mesh for the topic;
 * - `floodPublish`: the peer published the message (flood publishing, or a publisher with too small a mesh);
 * - `other`: most of them come from a peer that has the node in its mesh, but is not, or no longer, in the node's.
 */
export const DUPLICATE_CAUSES = /** @type {const} */ (['iwantAnswer', 'mesh', 'floodPublish', 'other'])

/** @typedef {typeof BYTE_CAUSES[number]} ByteCause */

/**
 * causesTold puts what a host counted into one list of numbers, so that hosts can be added up, and moments taken from one another.
 *
 * @param {object} counted
 * @param {Float64Array} counted.duplicates - by DUPLICATE_CAUSES
 * @param {readonly number[]} counted.meshChanges - by GRAFT_REASONS, and then PRUNE_REASONS
 * @param {Float64Array} counted.bytes - by topic and BYTE_CAUSES; behind the topics, what names none
 */
export const causesTold = ({ duplicates, meshChanges, bytes }) =>
  Float64Array.from([...duplicates, ...meshChanges, ...bytes])

const CHANGES_AT = DUPLICATE_CAUSES.length
const BYTES_AT = CHANGES_AT + GRAFT_REASONS.length + PRUNE_REASONS.length

/**
 * @template {string} Name
 * @param {Float64Array} told
 * @param {number} at
 * @param {readonly Name[]} names
 */
const named = (told, at, names) =>
  /** @type {Record<Name, number>} */ (Object.fromEntries(names.map((name, i) => [name, told[at + i]])))

/**
 * causesResult reads such a list.
 *
 * @param {Float64Array} told - or the sum of several, or the difference of two
 * @returns what results hold; `topics` is empty where there is one
 */
export function causesResult(told) {
  const rows = (told.length - BYTES_AT) / BYTE_CAUSES.length
  const topics = Array.from({ length: rows }, (_, row) => ({
    topic: row === rows - 1 ? null : row,
    ...named(told, BYTES_AT + row * BYTE_CAUSES.length, BYTE_CAUSES),
    // these name messages, not topics
    ...(row < rows - 1 && { iwant: null, idontwant: null })
  }))
  const { floodPublish, ...duplicates } = named(told, 0, DUPLICATE_CAUSES)
  return {
    bytesByCause: {
      all: /** @type {Record<ByteCause, number>} */ (
        Object.fromEntries(BYTE_CAUSES.map(cause => [cause, sumOf(topics, row => row[cause] ?? 0)]))
      ),
      topics: rows > 2 ? topics : []
    },
    duplicatesByCause: { ...duplicates, floodPublish: Number.isNaN(floodPublish) ? null : floodPublish },
    meshChanges: {
      grafts: named(told, CHANGES_AT, GRAFT_REASONS),
      prunes: named(told, CHANGES_AT + GRAFT_REASONS.length, PRUNE_REASONS)
    }
  }
}
