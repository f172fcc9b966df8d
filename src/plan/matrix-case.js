// The cases of a matrix: makes their names, and scales a plan down to a share of its operations, time or rate.

/**
 * @typedef {import('../scenarios/index.js').AnyPlan} AnyPlan
 * @typedef {import('../scenarios/index.js').Planning} Planning
 *
 * @typedef {object} CaseNaming - of the cases of a scenario
 * @property {ReadonlySet<string>} short - options that every name of a case shows in short
 * @property {import('../scenarios/index.js').OfScenario<[plan: AnyPlan, own: Map<string, unknown>], string[]>} inShort - `own`: what the row says, by key
 */

/**
 * escapeForName writes a value so that it can be part of the name of a folder.
 *
 * @param {unknown} value as typed
 */
export const escapeForName = value =>
  (typeof value === 'object' ? JSON.stringify(value) : String(value)).replace(/[^\w.=]+/g, '_')

/**
 * makeCaseName names a case of a matrix by what its row says: `c100-r10000-ns10-ops500`, with the type of operation first and
 * further options behind where the row or a list of values has them. It depends on the case only, never on the place of
 * the row.
 *
 * @param {Planning} scenario
 * @param {AnyPlan} plan
 * @param {object} given
 * @param {string | null} given.name - that the row has been given
 * @param {Map<string, unknown>} given.row - options by key
 * @param {Map<string, unknown>} given.varied - options by key
 * @returns {string}
 */
export function makeCaseName(scenario, plan, { name, row, varied }) {
  const { options: table, flat, naming } = scenario
  const { short, inShort } = naming ?? { short: new Set(), inShort: () => [] }
  const long = (/** @type {Map<string, unknown>} */ options) =>
    [...options].map(([key, typed]) => {
      // a list is written as it is typed, as is an option by a former name
      const inPlan = flat(plan)[table[key]?.planKey ?? key] ?? typed
      return `${key}=${escapeForName(typeof inPlan === 'object' ? typed : inPlan)}`
    })
  if (name !== null) return [name, ...long(varied)].join('-')
  const own = new Map([...row, ...varied])
  const others = new Map([...own].filter(([key, value]) => !short.has(key) && value != null).sort())
  return [...inShort(plan, own), ...long(others)].join('-')
}

/**
 * @typedef {import('./arrivals.js').Arrivals} Arrivals
 *
 * @typedef {object} Scales - what of a plan is run; each above 0 and at most 1
 * @property {number} [scale] - this share of its operations or messages, and of its time
 * @property {number} [scaleTime] - this share of its time alone
 * @property {number} [scaleRate] - this share of its rate; of every node's own intervals, so many times as long ones
 *
 * @typedef {Required<Scales>} AllScales
 */

const SHORTEST_MS = 100

/** roundScaled takes off the digits that a division leaves of a rate or a time. @param {number} x */
export const roundScaled = x => Number(x.toPrecision(12))

/** shortenTime is this share of a time. @param {number | null} ms @param {number} share */
export const shortenTime = (ms, share) => (ms === null ? null : Math.max(SHORTEST_MS, Math.ceil(ms * share)))

/** reduceCount is this share of a count. @param {number | null} count @param {number} share @param {number} min */
export const reduceCount = (count, share, min) =>
  count === null ? null : Math.max(Math.min(min, count), Math.ceil(roundScaled(count * share)))

/** lowerRateByShare is this share of a rate. @param {number | null} rate @param {number} share */
export const lowerRateByShare = (rate, share) => (rate === null ? null : roundScaled(rate * share))

/**
 * scaleArrivals scales what a shape of arrivals says of rates and times.
 *
 * @param {Arrivals} arrivals
 * @param {{ rate: number, time: number }} shares
 */
export function scaleArrivals(arrivals, { rate, time }) {
  if (typeof arrivals === 'string') return arrivals
  const { shape } = arrivals
  if (shape === 'ramp')
    return Object.freeze({ ...arrivals, toPerSecond: roundScaled(arrivals.toPerSecond * rate) })
  if (shape === 'steps') {
    const ratesPerSecond = Object.freeze(arrivals.ratesPerSecond.map(each => roundScaled(each * rate)))
    return Object.freeze({ ...arrivals, ratesPerSecond })
  }
  if (shape === 'sine') return Object.freeze({ ...arrivals, periodMs: shortenTime(arrivals.periodMs, time) })
  return Object.freeze({ ...arrivals, speed: roundScaled(arrivals.speed * rate) })
}

/**
 * scalePlan gives a plan with fewer operations or messages, less time, or a lower rate.
 *
 * @template {AnyPlan} P
 * @param {import('../scenarios/index.js').Planning} scenario
 * @param {Readonly<P>} plan
 * @param {Scales} scales
 * @param {Set<string>} [fixedOptions] - options that stay as they are, because somebody gave them on the command line
 * @returns {Readonly<P>}
 */
export function scalePlan(
  scenario,
  plan,
  { scale = 1, scaleTime = 1, scaleRate = 1 },
  fixedOptions = new Set()
) {
  // rounding must not make it another case
  if (scale === 1 && scaleTime === 1 && scaleRate === 1) return plan
  const whole = /** @type {AnyPlan} */ (/** @type {unknown} */ (plan))
  const scaled = scenario.scaled?.(whole, { scale, scaleTime, scaleRate }, fixedOptions) ?? {}
  const optionOf = (/** @type {string} */ inPlan) =>
    Object.entries(scenario.options).find(([key, { planKey = key }]) => planKey === inPlan)?.[0] ?? inPlan
  const changed = Object.entries(scaled).filter(([key]) => !fixedOptions.has(optionOf(key)))
  return Object.freeze({ ...plan, ...Object.fromEntries(changed) })
}
