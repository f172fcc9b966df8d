// The option --threshold, a condition on a figure such as `p99 < 50ms`: parses it and refuses figures that the plan
// lacks.

import { omitMissing } from '../kit/collections.js'
import { convertToOwnUnit, findUnitProblem, UNITS } from '../kit/numbers.js'
import { findNearWord } from '../kit/option-problems.js'
import { describeRemovedFigure } from './options.js'
import { milliseconds } from './values.js'

/**
 * @typedef {object} Threshold - what a figure of the result must be
 * @property {string} text - `DISCOVER.p99 < 50ms`
 * @property {boolean} [abortOnFail] - the run ends as soon as it has failed for the grace time; undefined: figures are known at the end
 * @property {number} [graceMs]
 *
 * @typedef {object} Condition - what the text of one says
 * @property {Figure} figure
 * @property {'<' | '<=' | '>' | '>='} operator
 * @property {number} limit - in `unit`
 * @property {string} unit - the one that the figure is kept in: ms, /s, %, MB, or none
 * @property {NetworkPart} [part] - of the network, that the figure is of; absent: all of it
 *
 * @typedef {{ value: Threshold } | { allowed: string }} ParsedThreshold
 * @typedef {import('../measure/figure.js').Figure} Figure
 * @typedef {import('../measure/figure.js').NetworkPart} NetworkPart
 */

const SHAPE =
  'must be a metric, an operator and a limit with its unit, such as "DISCOVER.p99 < 50ms" or "errorRate <= 1%"'

const OPERATORS = ['<', '<=', '>', '>=']

const LONGEST_GRACE_MS = 3_600_000

/** @param {string} name @param {readonly Figure[]} metrics */
const metricOrPercentile = (name, metrics) => findMetric(name, metrics) ?? percentileNamed(name, metrics)

/** @param {{ name: string, operator: string, limit: string, unit: string }} written @param {readonly Figure[]} metrics */
function unknownMetric({ name, operator, limit, unit }, metrics) {
  const removed = describeRemovedFigure(
    name,
    of => metricOrPercentile(of, metrics) ?? metricOrPercentile(`REGISTER.${of}`, metrics)
  )
  if (removed !== null) return removed
  const owners = [...new Set(metrics.map(known => known.name.slice(0, known.name.lastIndexOf('.'))))]
  const meant = omitMissing(owners.map(owner => metricOrPercentile(`${owner}.${name}`, metrics))).find(
    ({ quantity }) => unit === '' || findUnitProblem(quantity, unit) === null
  )
  if (meant !== undefined) {
    const another = meant.type === undefined ? '' : ', or that of another operation'
    return `${name} is not a metric; did you mean "${meant.name} ${operator} ${limit}${unit || UNITS[meant.quantity].own}"${another}? Metrics: ${metricsInWords(metrics)}`
  }
  const near = findNearWord(
    name,
    metrics.map(known => known.name),
    3
  )
  const hint = near === null ? '.' : `; did you mean ${near}?`
  return `${name} is not a metric${hint} Metrics: ${metricsInWords(metrics)}`
}

/** Words behind a limit that select nodes. */
const SELECTORS = ['class', 'zone']

/**
 * Names of topics may hold dots: what is left of a metric that there is of topics is one.
 *
 * @param {string} name - `latency.p99`, `votes.7.latency.p99`
 * @param {readonly Figure[]} metrics
 * @returns {{ figure: Figure, topic?: string } | undefined}
 */
function figureAndTopic(name, metrics) {
  const whole = metricOrPercentile(name, metrics)
  if (whole !== undefined) return { figure: whole }
  const ofTopics = metrics.filter(({ ofParts }) => ofParts)
  for (let dot = name.indexOf('.'); dot > 0; dot = name.indexOf('.', dot + 1)) {
    const figure = metricOrPercentile(name.slice(dot + 1), ofTopics)
    if (figure !== undefined) return { figure, topic: name.slice(0, dot) }
  }
}

/** A figure of a part of the network is read in that part. @param {Figure} figure @param {NetworkPart} part @returns {Figure} */
const ofPart = (figure, part) => ({
  ...figure,
  prometheus: undefined,
  read(outcome, ...more) {
    const own = /** @type {import('../measure/figure.js').PartedOutcome} */ (outcome).partOf?.(part)
    return own == null
      ? { value: null, samples: 0, missing: 'it is in no result' }
      : figure.read(own, ...more)
  }
})

/**
 * @param {string} text - with `, class=home` or `, zone=eu` behind it
 * @param {readonly Figure[]} metrics
 * @returns {{ text: string, condition: Condition } | { allowed: string }}
 */
function readExpression(text, metrics) {
  const { metric: expression, ...selected } = partsOf(text)
  const [, name, operator, number, written] =
    /^([^\s\d<>=!≤≥][^\s<>=!≤≥]*)\s*([<>=!≤≥]+)\s*(\d*\.?\d+)\s*(\S*)$/i.exec(expression) ?? []
  if (name === undefined || Object.keys(selected).some(key => !SELECTORS.includes(key)))
    return { allowed: SHAPE }
  const match = figureAndTopic(name, metrics)
  if (match === undefined)
    return { allowed: unknownMetric({ name, operator, limit: number, unit: written }, metrics) }
  const { figure, topic } = match
  const part = { ...(topic !== undefined && { topic }), ...selected }
  const isPart = Object.keys(part).length > 0
  if (isPart && !figure.ofParts)
    return { allowed: `selects nodes, but ${figure.name} is of the whole network` }
  if (!OPERATORS.includes(operator))
    return { allowed: `compares with ${operator}: use ${OPERATORS.join(', ')}` }
  const { quantity } = figure
  const metric = topic === undefined ? figure.name : `${topic}.${figure.name}`
  const problem = findUnitProblem(quantity, written)
  if (problem !== null) return { allowed: `${metric} ${problem}` }
  const behind = Object.entries(selected).map(([key, value]) => `, ${key}=${value}`)
  return {
    text: `${metric} ${operator} ${number}${written}${behind.join('')}`,
    condition: {
      figure: isPart ? { ...ofPart(figure, part), name: metric } : figure,
      ...(isPart && { part }),
      operator: /** @type {Condition['operator']} */ (operator),
      limit: convertToOwnUnit(quantity, Number(number), written),
      unit: UNITS[quantity].own
    }
  }
}

/**
 * findFormerThresholdProblems are those of a stored plan on figures that there are no more.
 *
 * @param {readonly Threshold[]} thresholds
 * @param {readonly Figure[]} figures - of the scenario
 * @returns {import('./plan.js').Problem[]}
 */
export const findFormerThresholdProblems = (thresholds, figures) =>
  thresholds.flatMap(({ text }) => {
    const read = readExpression(text, figures)
    return 'allowed' in read ? [{ flag: '--threshold', value: text, allowed: read.allowed }] : []
  })

/**
 * parseCondition is what the text of a threshold in a plan says.
 *
 * @param {Threshold} threshold
 * @param {readonly Figure[]} figures - of the scenario
 * @returns {Condition}
 */
export function parseCondition({ text }, figures) {
  const read = readExpression(text, figures)
  if ('allowed' in read) throw new Error(`threshold ${text} ${read.allowed}`)
  return read.condition
}

/** @param {string} text `DISCOVER.p99 < 50ms, abortOnFail, grace=5s` @returns {{ metric: string } & Record<string, string>} */
function partsOf(text) {
  const [metric, ...more] = text.split(',').map(part => part.trim())
  return { metric, ...Object.fromEntries(more.map(part => part.split(/\s*=\s*/))) }
}

/**
 * parseThreshold reads a threshold as it is typed, or as a mapping of YAML.
 *
 * @param {unknown} raw - `DISCOVER.p99 < 50ms, abortOnFail, grace=5s`, or the same as
 *   `{ metric: 'DISCOVER.p99 < 50ms', abortOnFail: true, grace: '5s' }`
 * @param {readonly Figure[]} figures - of the scenario
 * @param {boolean} [live] - they are known while a run goes on
 * @returns {ParsedThreshold}
 */
export function parseThreshold(raw, figures, live = true) {
  const parts = /** @type {Record<string, unknown> | null} */ (typeof raw === 'string' ? partsOf(raw) : raw)
  if (typeof parts?.metric !== 'string') return { allowed: SHAPE }
  const { metric, ...behind } = parts
  const known = figures.filter(({ live }) => live !== undefined)
  const hasParts = known.some(({ ofParts }) => ofParts)
  const selects = (/** @type {string} */ key) => hasParts && SELECTORS.includes(key)
  const selected = Object.entries(behind).filter(([key]) => selects(key))
  const more = Object.fromEntries(Object.entries(behind).filter(([key]) => !selects(key)))
  const unknown = Object.keys(more).find(name => name !== 'abortOnFail' && name !== 'grace')
  if (unknown !== undefined)
    return {
      allowed: `may be followed by ${hasParts ? 'class=home, zone=eu, ' : ''}abortOnFail and grace=5s, not by ${unknown || 'nothing'}`
    }
  const expression = readExpression(
    [metric.trim(), ...selected.map(([key, name]) => `${key}=${name ?? ''}`)].join(','),
    known
  )
  if ('allowed' in expression) return expression
  if (!live)
    return Object.keys(more).length > 0
      ? { allowed: 'cannot have abortOnFail here: figures are known only at the end' }
      : { value: Object.freeze({ text: expression.text }) }
  const aborting = readAborting(more)
  return 'allowed' in aborting
    ? aborting
    : { value: Object.freeze({ text: expression.text, ...aborting.value }) }
}

/**
 * @param {Record<string, unknown>} parts
 * @returns {{ value: { abortOnFail: boolean, graceMs: number } } | { allowed: string }}
 */
function readAborting(parts) {
  const typed = 'abortOnFail' in parts && (parts.abortOnFail ?? true)
  const abortOnFail = typed === 'true' || (typed === 'false' ? false : typed)
  if (typeof abortOnFail !== 'boolean') return { allowed: 'abortOnFail must be true or false' }
  if (!('grace' in parts)) return { value: { abortOnFail, graceMs: 0 } }
  const graceMs = milliseconds(String(parts.grace).trim())
  if (!(graceMs >= 0 && graceMs <= LONGEST_GRACE_MS))
    return { allowed: 'grace must be a time with its unit from 0 to 1h, such as 500ms, 10s or 2h' }
  if (!abortOnFail) return { allowed: 'has a grace time, which needs abortOnFail' }
  return { value: { abortOnFail, graceMs } }
}

/**
 * thresholdsKind is the kind of --threshold, which can be given several times, or several with `;` between them.
 *
 * @param {readonly Figure[]} figures - of the scenario
 * @param {boolean} [live] - they are known while a run goes on
 * @returns {import('./values.js').OptionValueKind & { write: (threshold: Threshold) => string }}
 */
export const thresholdsKind = (figures, live = true) => ({
  allowed: SHAPE,
  between: ';',
  item: raw => parseThreshold(raw, figures, live),
  write: ({ text, abortOnFail, graceMs }) =>
    `${text}${abortOnFail ? `, abortOnFail, grace=${graceMs}ms` : ''}`,
  schema: z => {
    const aborting = live && { abortOnFail: z.boolean(), graceMs: z.number() }
    return z.array(z.looseObject({ text: z.string(), ...aborting }))
  }
})

/**
 * The types of operations that a plan measures.
 *
 * @param {Record<string, any>} values - of options
 * @returns {string[]}
 */
function measuredTypes({ benchmarkType, mix, connectionPerOperation, churn }) {
  const mixed = Object.entries(mix).filter(([, share]) => share > 0)
  const sent = benchmarkType === 'MIXED' ? mixed.map(([name]) => name.toUpperCase()) : [benchmarkType]
  // clients that come connect, and all register
  if (churn != null) return [...new Set(['CONNECT', 'REGISTER', 'DISCOVER', ...sent])]
  return connectionPerOperation ? ['CONNECT', ...sent] : sent
}

/**
 * lackOf says what a plan would need for a figure.
 *
 * @param {import('../measure/figure.js').Figure} figure
 * @param {object} plan - as far as figures look at it
 * @returns {string | null} null: nothing
 */
function lackOf({ name, lacks }, plan) {
  const lack = lacks?.(/** @type {any} */ (plan)) ?? null
  return lack && `uses ${name}, which needs ${lack}`
}

/**
 * findThresholdWithoutSample says which threshold is on a metric that a run cannot have a sample of, and would fail in any case.
 *
 * @param {readonly Threshold[]} thresholds
 * @param {readonly import('../measure/figure.js').Figure[]} figures - of the scenario
 * @param {Record<string, any>} values - of options, and what figures look at in a plan
 * @returns {string | null} what to change; null: there is none
 */
export function findThresholdWithoutSample(thresholds, figures, values) {
  const types = measuredTypes(values)
  const { target, targets, targetPid, targetContainer } = values
  const serverKnown =
    (target ?? targets) === undefined || targetPid !== undefined || targetContainer !== undefined
  for (const threshold of thresholds) {
    const { figure } = parseCondition(threshold, figures)
    const { name: metric, type, ofServer } = figure
    const lack = lackOf(figure, values)
    if (lack !== null) return lack
    if (type !== undefined && !types.includes(type))
      return `uses ${metric}, but this run measures ${types.join(', ')} only`
    if (ofServer && !serverKnown) return `uses ${metric}, which needs --targetPid or --targetContainer`
  }
  return null
}

/**
 * findThresholdLack says which threshold is on a figure that runs of a plan cannot have.
 *
 * @param {readonly Threshold[]} thresholds
 * @param {readonly import('../measure/figure.js').Figure[]} figures - of the scenario
 * @param {object} plan
 * @returns {string | null} what it would need; null: there is none
 */
export const findThresholdLack = (thresholds, figures, plan) =>
  omitMissing(thresholds.map(threshold => lackOf(parseCondition(threshold, figures).figure, plan)))[0] ?? null

/**
 * makeThresholdRules refuses thresholds on figures that runs of a plan cannot have.
 *
 * @param {readonly import('../measure/figure.js').Figure[]} figures - of the scenario
 * @param {(values: Record<string, any>) => object} planOf - of values of options: what figures look at
 * @param {readonly string[]} needs - the options it comes from
 * @returns {import('./options.js').Rule[]}
 */
export const makeThresholdRules = (figures, planOf, needs) => [
  {
    flag: 'threshold',
    needs,
    refuse: ({ threshold = [], ...values }) =>
      findThresholdLack(threshold, figures, planOf(values)) ?? undefined
  }
]

/**
 * metricsInWords says what a threshold can be set on.
 *
 * @param {readonly Figure[]} metrics
 */
function metricsInWords(metrics) {
  const names = metrics.map(({ name }) => name)
  const types = [...new Set(metrics.flatMap(({ type = [] }) => type))]
  const plain = names.filter(name => !types.some(type => name.includes(`${type}.`))).join(', ')
  const others = omitMissing([
    metrics.some(({ readAt }) => readAt !== undefined) &&
      '; where there is a p50, any other percentile (p75, p99.5) and min',
    metrics.some(({ ofParts }) => ofParts) &&
      '; published, ratios, latency and dissemination also of a topic, as in blocks.latency.p99, and with ", class=home" or ", zone=eu" after the limit'
  ]).join('')
  if (types.length === 0) return `${plain}${others}`
  const [, example = types[0]] = types
  const ofExample = names.flatMap(name =>
    name.startsWith(`${example}.`) ? name.slice(example.length + 1) : []
  )
  return `${plain}; for each of ${types.join(', ')}, as in ${example}.p99: ${ofExample.join(', ')}${others}`
}

/**
 * findMetric finds a figure by its name, however its letters are written. Tables call p999 p99.9.
 *
 * @param {string} name
 * @param {readonly Figure[]} metrics
 */
export function findMetric(name, metrics) {
  const lowerCaseName = name.toLowerCase().replace(/\.p99\.9$/, '.p999')
  return metrics.find(known => isCalled(known, lowerCaseName))
}

/** @param {Figure} figure @param {string} lowerCaseName - in small letters */
const isCalled = ({ name, also }, lowerCaseName) =>
  [name, also].some(own => own?.toLowerCase() === lowerCaseName)

/**
 * percentileNamed is a percentile, or the least, of times whose median is a figure.
 *
 * @param {string} name - `REGISTER.p75`, `REGISTER.min`, however its letters are written
 * @param {readonly Figure[]} figures
 * @returns {Figure | undefined}
 */
function percentileNamed(name, figures) {
  const [, of = '', digits = '0'] = /^(.+)\.(?:p(\d{1,2}(?:\.\d+)?)|min)$/i.exec(name) ?? []
  const median = figures.find(known => isCalled(known, `${of.toLowerCase()}.p50`))
  const percent = Number(digits)
  const key = name.toLowerCase().endsWith('.min') ? 'min' : `p${percent}`
  if (median?.readAt === undefined || key === 'p0') return undefined
  const named = (/** @type {string} */ text) => text.replace(/p50$/, key)
  return (
    findMetric(named(median.name), figures) ?? {
      ...median,
      name: named(median.name),
      title: named(median.title),
      read: median.readAt(percent / 100),
      prometheus: undefined,
      readAt: undefined
    }
  )
}

/**
 * findFigure is the figure of a name that there is.
 *
 * @param {readonly Figure[]} figures
 * @param {string} name
 */
export const findFigure = (figures, name) =>
  /** @type {Figure} */ (figures.find(figure => figure.name === name) ?? percentileNamed(name, figures))

/**
 * listComparedFigures are the figures that comparisons of runs of a plan decide on.
 *
 * @param {Pick<import('../measure/figure.js').Comparable<any>, 'figures' | 'variants'>} compared
 * @param {object} plan
 * @returns {Figure[]}
 */
export const listComparedFigures = ({ figures, variants = [] }, plan) =>
  listPlanFigures(variants.find(({ of }) => of(plan))?.figures ?? figures, plan)

/**
 * listPlanFigures are those that runs of a plan can have.
 *
 * @param {readonly Figure[]} figures
 * @param {object} plan - of any scenario
 * @returns {Figure[]}
 */
export const listPlanFigures = (figures, plan) =>
  figures.filter(({ lacks = () => null }) => lacks(/** @type {any} */ (plan)) === null)
