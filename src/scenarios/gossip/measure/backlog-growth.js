import { sumOf } from '../../../kit/lists.js'

/** @typedef {Pick<import('../gossip-types.js').WorkerResources, 'series'>} Resources */

/** Less than this in all waits for other reasons. */
const LEAST_BYTES = 64 * 1024
const PARTS = 3

/**
 * backlogGrows tells whether what waited in the write buffers of all nodes grew all the while messages were published: more in
 * each third of the time than in the one before, and twice as much in the last as in the first.
 *
 * @param {readonly Resources[]} resources - of the workers
 * @param {number} publishMs - how long it was published for
 * @returns {number | null} bytes that waited in the last third, on average; null: it did not grow
 */
export function backlogGrows(resources, publishMs) {
  const thirds = Array.from({ length: PARTS }, (_, part) =>
    sumOf(resources, ({ series }) => averageOf(series, partOf(publishMs, part)))
  )
  const last = thirds[PARTS - 1]
  const rising = thirds.every((bytes, part) => part === 0 || bytes > thirds[part - 1])
  return rising && last >= LEAST_BYTES && last >= 2 * thirds[0] ? last : null
}

/** @param {number} ms @param {number} part */
const partOf = (ms, part) => ({ fromMs: (ms * part) / PARTS, toMs: (ms * (part + 1)) / PARTS })

/**
 * @param {Resources['series']} series
 * @param {{ fromMs: number, toMs: number }} part
 * @returns {number} bytes; 0 where nothing is known
 */
function averageOf(series, { fromMs, toMs }) {
  const within = series.filter(({ atMs }) => atMs > fromMs && atMs <= toMs)
  return sumOf(within, ({ backlogBytes }) => backlogBytes) / Math.max(1, within.length)
}
