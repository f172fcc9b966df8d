import { slopeChange } from '../../measure/slope-change.js'

/**
 * @typedef {object} Loaded - what came of a load
 * @property {number} size - connections, or nodes
 * @property {number} load - per second
 * @property {number | null} ms
 *
 * @typedef {object} Knee - the load from which times rise more steeply
 * @property {number} size
 * @property {number} at - load
 * @property {number} before - ms for each 1/s more
 * @property {number} after
 */

/** Where times rise by less than this factor from there on, what bends is noise. */
const MIN_RISE = 1.5

/**
 * kneesOf finds the load from which times rise more steeply, for each size by itself.
 *
 * @param {readonly Loaded[]} loads
 * @returns {Knee[]}
 */
export const kneesOf = loads =>
  [...new Set(loads.map(({ size }) => size))].flatMap(size => {
    const points = loads
      .flatMap(loaded =>
        loaded.size === size && loaded.ms !== null ? [{ x: loaded.load, y: loaded.ms }] : []
      )
      .sort((a, b) => a.x - b.x)
    const bend = slopeChange(points)
    if (bend === null || bend.after <= bend.before) return []
    const before = points.filter(({ x }) => x < bend.at)
    const rises = points[points.length - 1].y >= MIN_RISE * before[before.length - 1].y
    return rises ? [{ size, ...bend }] : []
  })
