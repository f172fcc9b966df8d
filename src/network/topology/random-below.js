/**
 * randomBelow draws a whole number.
 *
 * @param {number} limit - at least 1
 * @param {() => number} random - uniform in [0, 1)
 * @returns {number} from 0 to limit − 1
 */
export const randomBelow = (limit, random) => Math.floor(random() * limit)
