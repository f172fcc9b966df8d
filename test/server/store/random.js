/**
 * random makes whole numbers that are the same in each run, so that a failing case can be repeated.
 *
 * @param {number} seed
 * @returns {(below: number) => number}
 */
export function random(seed) {
  let state = BigInt(seed)
  return below => {
    state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) & 0xffff_ffff_ffff_ffffn
    return Number((state >> 33n) % BigInt(below))
  }
}
