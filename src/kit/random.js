import { createHash } from 'node:crypto'
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'

/**
 * subStream gives the random numbers of one concern of a run, so that one more draw in one concern never shifts another.
 *
 * @param {number | string} seed - the plan's seed, or one of its own
 * @param {...(string | number)} name - the concern, for example `'arrivals'` or `'namespaces', client`
 * @returns {() => number} uniform in [0, 1)
 */
export function subStream(seed, ...name) {
  const digest = createHash('sha256')
    .update([seed, ...name].join('/'))
    .digest()
  const generator = xoroshiro128plus(digest.readInt32LE(0))
  return () => uniformFloat64(generator)
}
