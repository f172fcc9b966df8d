import { Heap } from '../../kit/heap.js'

/**
 * dialTimes gives when each dial of a network begins: so many are under way at once, and each of the others begins when one of them should be
 * through. That follows from the plan alone, whatever becomes of a dial, so that who holds some of the nodes knows it too.
 *
 * @param {number} atOnce
 * @param {readonly number[]} durationsNs - of the dials, in their order
 * @returns {number[]} ns, since the first
 */
export function dialTimes(atOnce, durationsNs) {
  /** @type {Heap<number>} when each of those under way is through */
  const under = new Heap()
  return durationsNs.map(durationNs => {
    const beginsNs = under.size < atOnce ? 0 : /** @type {number} */ (under.take())
    under.add(beginsNs + durationNs, beginsNs + durationNs)
    return beginsNs
  })
}
