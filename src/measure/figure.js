// Figures, the named numbers of a run that thresholds and comparisons use: their names, units, and how each is read from
// a result.
import { formatWhole } from '../kit/numbers.js'
import { findFigure } from '../plan/threshold.js'
import { QUANTILES, readPercentile, SAMPLES_BEYOND } from './histogram.js'

/**
 * @template {unknown[]} Args
 * @template Made
 * @typedef {import('../scenarios/index.js').OfScenario<Args, Made>} Handed
 */

/**
 * @typedef {object} NetworkPart - of a network; what is left out is any
 * @property {string} [topic] - `votes.*`: all whose names begin so
 * @property {string} [class]
 * @property {string} [zone]
 */

/**
 * @typedef {import('../report/schema.js').OperationType} OperationType
 * @typedef {import('../report/schema.js').Summary} Summary
 * @typedef {Exclude<keyof Summary, 'count'>} TimeKey
 * @typedef {import('../scenarios/index.js').AnyResult} AnyResult
 * @typedef {import('../scenarios/index.js').AnyPlan} AnyPlan
 * @typedef {AnyResult['outcome'] | import('../report/schema.js').Figures | import('../scenarios/gossip/outcome.js').GossipFigures} MeasuredOutcome -
 *   of a result, or what was measured so far
 * @typedef {{ partOf?: (part: NetworkPart) => MeasuredOutcome | null }} PartedOutcome - an outcome while the run is there: it knows its parts
 * @typedef {(parts: readonly Readonly<Record<string, string>>[]) => Summary} PoolHistograms
 *
 * @typedef {object} FigureReading - what a figure is in a run, or just now
 * @property {number | null} value - in the unit of its quantity; null: there is no such figure
 * @property {number} samples - that it rests on
 * @property {string} [missing] - why there is none
 * @property {string} [atLeast] - why the true figure may be larger
 *
 * @typedef {object} PrometheusFigure - a figure as Prometheus is told it, while a run goes on
 * @property {string} name
 * @property {string} help
 * @property {boolean} [counts] - a counter; else a gauge
 * @property {Readonly<Record<string, string | number>>} [labels]
 */

/**
 * @template {MeasuredOutcome} [O=MeasuredOutcome] - of the scenario, or what was measured so far
 * @typedef {object} Figure - all that there is to know of a figure: every view of it follows
 * @property {string} name - in thresholds, rules and documents
 * @property {string} title
 * @property {import('../kit/numbers.js').Quantity} quantity
 * @property {string} [unit] - in comparisons; default: that of its quantity
 * @property {'higher' | 'lower' | null} better - null: neither
 * @property {Handed<[outcome: O, run?: Partial<AnyResult['run']>, pool?: PoolHistograms], FigureReading>} read -
 *   `outcome`: of a result, or what was measured so far; `run`: of a result, what differs from run to run; `pool` puts histograms
 *   by outcome together, for a figure without `live`
 * @property {number} [live] - samples from which it is worth looking at while a run goes on; none: no threshold can be set on it
 * @property {boolean} [grows] - it can only become larger while a run goes on
 * @property {OperationType} [type] - that the plan must measure
 * @property {Handed<[plan: AnyPlan], string | null>} [lacks] - what a plan would need for runs of it to have it; null: nothing; default: all
 *   have it
 * @property {boolean} [ofServer] - the server's CPU and memory must be known
 * @property {string} [also] - another name that it can be called by
 * @property {boolean} [ofParts] - thresholds can be set on what it is of a topic, a class of nodes or a zone
 * @property {PrometheusFigure} [prometheus]
 * @property {(share: number) => Figure<O>['read']} [readAt] - of a median: reads another percentile of the same times, while they are measured
 */

/**
 * @template {AnyPlan} [P=AnyPlan] - of the scenario
 * @typedef {object} Comparable - what comparisons of runs of a scenario go by
 * @property {readonly Figure[]} figures - that they decide on, in the order of all views
 * @property {readonly { of: Handed<[plan: P], boolean>, figures: readonly Figure[] }[]} [variants] - plans whose runs are compared by other
 *   figures; the first that takes a plan counts
 * @property {Readonly<Record<string, Handed<[plan: P], unknown>>>} same - what must be the same in both plans, or their figures are different
 *   things
 * @property {string} example - of rules that may well be wanted
 * @property {readonly Readonly<[string, string]>[]} commands - of `ab` with such plans: what for, and what is typed after the program's name;
 *   none: `ab` does not take them
 * @property {{ title: string, what: string, of: (outcome: any) => readonly Readonly<Record<string, string>>[] }} [times] - that a curve is drawn
 *   of: their histograms, by outcome
 */

/**
 * selectFigures are the figures of some names, in their order.
 *
 * @template {MeasuredOutcome} [O=MeasuredOutcome]
 * @param {readonly Figure<O>[]} figures
 * @param {readonly string[]} names
 */
export const selectFigures = (figures, names) =>
  names.map(name => /** @type {Figure<O>} */ (findFigure(figures, name)))

/**
 * makeMissingReading is the reading of a figure that there is not.
 *
 * @param {string} missing - why
 * @returns {FigureReading}
 */
export const makeMissingReading = missing => ({ value: null, samples: 0, missing })

/**
 * makeTooFewReading is the reading of a figure that needs more samples.
 *
 * @param {number} samples
 * @param {number} needed
 * @returns {FigureReading}
 */
export const makeTooFewReading = (samples, needed) =>
  makeMissingReading(`too few samples: ${formatWhole(samples)}, and ${formatWhole(needed)} are needed`)

/**
 * @typedef {object} TimeWords - what is said of times
 * @property {string} nothing - why there are none
 * @property {string} atLeast - what reaches into one that is a lower bound
 */

/**
 * readTime reads a figure of a distribution of times.
 *
 * @param {Summary | null | undefined} summary
 * @param {TimeKey | number} key - a number: the share below a percentile
 * @param {TimeWords} words
 * @returns {FigureReading}
 */
export function readTime(summary, key, { nothing, atLeast }) {
  if (summary == null || summary.count === 0) return makeMissingReading(nothing)
  const figure = typeof key === 'number' ? readPercentile(summary, key) : summary[key]
  if (figure === undefined) return makeMissingReading('it is in no result')
  if (figure === null) return makeTooFewReading(summary.count, countNeededSamples(key))
  return { value: figure.ms, samples: summary.count, ...(figure.censored && { atLeast }) }
}

/**
 * readOverhead reads the client overhead at a percentile.
 *
 * @param {Summary | null | undefined} summary
 * @param {keyof typeof QUANTILES} key
 * @param {TimeWords} words
 * @returns {FigureReading}
 */
function readOverhead(summary, key, words) {
  const time = readTime(summary, key, words)
  if (time.value === null) return time
  const overheadMs = summary?.[key]?.overheadMs
  return overheadMs === undefined
    ? makeMissingReading('its client overhead was not measured')
    : { value: overheadMs, samples: time.samples }
}

/**
 * countNeededSamples is how many samples a percentile needs, an average or a maximum.
 *
 * @param {TimeKey | number} key - a number: the share below a percentile
 */
export function countNeededSamples(key) {
  const share = typeof key === 'number' ? key : QUANTILES[/** @type {'p50'} */ (key)]
  return share === undefined ? 1 : Math.round(SAMPLES_BEYOND / (1 - share))
}

/** Which of them Prometheus is told how. @param {string} key @param {{ name: string, what: string, labels?: PrometheusFigure['labels'] }} told @returns {PrometheusFigure} */
function makePrometheusTime(key, { name, what, labels }) {
  if (key in QUANTILES)
    return {
      name: `${name}_seconds`,
      help: `Percentiles of ${what} so far; only with enough samples`,
      labels: { ...labels, quantile: QUANTILES[/** @type {'p50'} */ (key)] }
    }
  return key === 'avg'
    ? { name: `${name}_average_seconds`, help: `Average of ${what} so far`, labels }
    : { name: `${name}_max_seconds`, help: `Longest of ${what} so far`, labels }
}

/**
 * makeTimeFigures are the figures of a distribution of times.
 *
 * @template {MeasuredOutcome} O
 * @param {object} of
 * @param {string} of.name - before that of each
 * @param {string} of.title
 * @param {(outcome: O) => Summary | null | undefined} of.summary
 * @param {TimeWords} of.words
 * @param {{ name: string, what: string, labels?: PrometheusFigure['labels'] }} [of.prometheus]
 * @param {boolean} [of.overhead] - the client overhead of each is measured; default: it is not
 * @param {Partial<Figure<O>>} [more] - of all of them
 * @returns {Figure<O>[]}
 */
export const makeTimeFigures = (
  { name, title, summary, words, prometheus, overhead: measured = false },
  more
) => {
  /** @param {TimeKey} key @returns {Figure<O>} */
  const time = key => ({
    name: `${name}.${key}`,
    title: `${title} ${key.replace('p999', 'p99.9')}`,
    quantity: 'time',
    better: 'lower',
    live: 0,
    grows: key === 'max',
    read: outcome => readTime(summary(outcome), key, words),
    prometheus: prometheus && makePrometheusTime(key, prometheus),
    ...(key === 'p50' && {
      readAt: (/** @type {number} */ share) => (/** @type {O} */ outcome) =>
        readTime(summary(outcome), share, words)
    }),
    ...more
  })
  /** @param {keyof typeof QUANTILES} key @returns {Figure<O>} */
  const overhead = key => ({
    name: `${name}.${key}.overhead`,
    title: `Client overhead at ${title} ${key.replace('p999', 'p99.9')}`,
    quantity: 'time',
    better: 'lower',
    live: 0,
    read: outcome => readOverhead(summary(outcome), key, words),
    prometheus: prometheus && {
      name: `${prometheus.name}_overhead_seconds`,
      help: `Client overhead at percentiles of ${prometheus.what} so far`,
      labels: { ...prometheus.labels, quantile: QUANTILES[key] }
    },
    ...more
  })
  const quantiles = /** @type {(keyof typeof QUANTILES)[]} */ (Object.keys(QUANTILES))
  return [time('avg'), ...quantiles.map(time), time('max'), ...(measured ? quantiles.map(overhead) : [])]
}
