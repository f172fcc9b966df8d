const REPEATS = 1
/** Answers are rounded up to whole servers, or clusters of them: a tenth is close enough. */
const TOLERANCE = 0.1

/**
 * serverSearch begins the search for the rate that servers sustain.
 *
 * @param {{ from: number, most: number, repeats?: number }} how - rates per second
 * @returns {import('../result/trial.js').SearchState}
 */
export const serverSearch = ({ from, most, repeats = REPEATS }) => ({
  fromPerSecond: from,
  mostPerSecond: most,
  tolerance: TOLERANCE,
  repeats,
  blocks: 0,
  trials: [],
  found: null
})
