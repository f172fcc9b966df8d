/** @typedef {import('./theme.js').Spec} Spec */

/**
 * @param {string} title
 * @param {Spec} scale
 * @param {Spec} [axis] - how it departs from the usual
 * @returns {Spec}
 */
function linearAxis(title, scale, axis) {
  return { type: 'quantitative', scale, axis: { title, format: ',~f', tickCount: 5, ...axis } }
}

/** amount is an axis of amounts whose sizes are to be compared: from zero. @param {string} title @param {Spec} [axis] */
export const amount = (title, axis) => linearAxis(title, { zero: true, nice: true }, axis)

/**
 * span is an axis that goes from one number to another.
 *
 * @param {[number, number]} domain
 * @param {string} title
 * @param {Spec} [axis]
 */
export const span = (domain, title, axis) =>
  linearAxis(title, { domain, nice: false }, { tickCount: 8, ...axis })

/** ordinal is an axis of places in an order. @param {string} title @returns {Spec} */
export const ordinal = title => ({ type: 'ordinal', axis: { title, labelAngle: 0 } })

/** SHARE_ARRIVED is an axis of what had come by a time, of all that should. */
export const SHARE_ARRIVED = linearAxis('Arrived, %', { domain: [0, 100] })

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
  let [least, most] = [Infinity, 0]
  for (const value of values) {
    if (value > 0 && value < least) least = value
    if (value > most) most = value
  }
  if (most === 0) return [0.1, 10]
  return [least / 1.25, most * 1.25]
}

/**
 * logAxis is a logarithmic axis, as times have it.
 *
 * @param {[number, number]} domain
 * @param {string} [title]
 * @param {number[]} [values] - the numbers on it
 * @returns {Spec}
 */
export const logAxis = (domain, title = 'Response time, ms', values = logTicks(...domain)) => ({
  type: 'quantitative',
  scale: { type: 'log', domain, nice: false },
  axis: { title, values, format: ',~g' }
})

/** A label from nines: 0 → 0, 0.3 → 50, 1 → 90, 3 → 99.9. */
const NINES_LABEL =
  "datum.value < 0.2 ? '0' : datum.value < 0.9 ? '50' : format(100 - 100 * pow(10, -datum.value), ',.' + max(0, round(datum.value) - 2) + 'f')"

/** isNines says whether an axis is one of shares, told by −log10 of what is left. @param {Spec} axis */
export const isNines = ({ axis }) => axis?.labelExpr === NINES_LABEL

/**
 * ninesAxis is an axis of shares on which each step leaves a tenth: 1 is 90 %, 2 is 99 %.
 *
 * @param {number} most
 * @param {string} title
 * @returns {Spec}
 */
export const ninesAxis = (most, title) => ({
  type: 'quantitative',
  scale: { domain: [0, most], nice: false },
  axis: {
    title,
    values: [0, Math.log10(2), ...Array.from({ length: Math.floor(most + 1e-9) }, (_, i) => i + 1)],
    labelExpr: NINES_LABEL,
    grid: true
  }
})
