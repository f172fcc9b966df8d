/** FROM_ZERO is a scale of figures whose size is to be compared. */
export const FROM_ZERO = { zero: true, nice: true }

/** SHARE_ARRIVED is an axis of what had come by a time, of all that should. */
export const SHARE_ARRIVED = {
  type: 'quantitative',
  scale: { domain: [0, 100] },
  axis: { title: 'Arrived, %', format: ',~f', tickCount: 5 }
}

/** @param {number} exponent */
const decade = exponent => [1, 2, 5].map(factor => Number(`${factor}e${exponent}`))

/** Between neighbours of 1, 2 and 5 the numbers are as on any axis. @param {number} least @param {number} most */
function evenTicks(least, most) {
  const step = 10 ** Math.floor(Math.log10(most - least))
  const first = Math.ceil(least / step)
  return Array.from({ length: Math.floor(most / step) - first + 1 }, (_, i) =>
    Number(((first + i) * step).toPrecision(6))
  )
}

/**
 * logTicks are the numbers on a logarithmic axis: 1, 10, 100, and 2 and 5 of each where there is room for them.
 *
 * @param {number} least - > 0
 * @param {number} most
 * @returns {number[]}
 */
export function logTicks(least, most) {
  const [from, to] = [Math.floor(Math.log10(least)), Math.ceil(Math.log10(most))]
  const all = Array.from({ length: to - from + 1 }, (_, i) => decade(from + i)).flat()
  const within = all.filter(value => value >= least * 0.999 && value <= most * 1.001)
  if (within.length < 2) return evenTicks(least, most)
  return within.length <= 7 ? within : within.filter(value => Number.isInteger(Math.log10(value)))
}

/**
 * around is the domain of a logarithmic axis that values fit in.
 *
 * @param {number[]} values
 * @returns {[number, number]}
 */
export function around(values) {
  let [least, most] = [Number.POSITIVE_INFINITY, 0]
  for (const value of values) {
    if (value > 0 && value < least) least = value
    if (value > most) most = value
  }
  if (most === 0) return [0.1, 10]
  return [least / 1.25, most * 1.25]
}

/**
 * logMs is an axis of times.
 *
 * @param {[number, number]} domain
 * @param {string} [title]
 */
export const logMs = ([least, most], title = 'Response time, ms') => ({
  scale: { type: 'log', domain: [least, most], nice: false },
  axis: { title, values: logTicks(least, most), format: ',~g' }
})
