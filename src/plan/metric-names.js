/** @typedef {import('../measure/figure.js').Figure} Figure */

/**
 * metricsInWords says what a threshold can be set on.
 *
 * @param {readonly Figure[]} metrics
 */
export function metricsInWords(metrics) {
  const names = metrics.map(({ name }) => name)
  const types = [...new Set(metrics.flatMap(({ type = [] }) => type))]
  const plain = names.filter(name => !types.some(type => name.includes(`${type}.`))).join(', ')
  const others = [
    metrics.some(({ readAt }) => readAt !== undefined) &&
      '; where there is a p50, any other percentile (p75, p99.5) and min',
    metrics.some(({ ofParts }) => ofParts) &&
      '; published, ratios, latency and dissemination also of a topic, as in blocks.latency.p99, and with ", class=home" or ", zone=eu" behind the limit'
  ]
    .filter(words => words !== false)
    .join('')
  if (types.length === 0) return `${plain}${others}`
  const [, example = types[0]] = types
  const ofExample = names.flatMap(name =>
    name.startsWith(`${example}.`) ? name.slice(example.length + 1) : []
  )
  return `${plain}; for each of ${types.join(', ')}, as in ${example}.p99: ${ofExample.join(', ')}${others}`
}

/**
 * metricNamed finds a figure by its name, however its letters are written. Tables call p999 p99.9.
 *
 * @param {string} name
 * @param {readonly Figure[]} metrics
 */
export function metricNamed(name, metrics) {
  const asked = name.toLowerCase().replace(/\.p99\.9$/, '.p999')
  return metrics.find(known => isCalled(known, asked))
}

/** @param {Figure} figure @param {string} asked - in small letters */
const isCalled = ({ name, also }, asked) => [name, also].some(own => own?.toLowerCase() === asked)

/**
 * percentileNamed is a percentile, or the least, of times whose median is a figure.
 *
 * @param {string} name - `REGISTER.p75`, `REGISTER.min`, however its letters are written
 * @param {readonly Figure[]} figures
 * @returns {Figure | undefined}
 */
export function percentileNamed(name, figures) {
  const [, of = '', digits = '0'] = /^(.+)\.(?:p(\d{1,2}(?:\.\d+)?)|min)$/i.exec(name) ?? []
  const median = figures.find(known => isCalled(known, `${of.toLowerCase()}.p50`))
  const percent = Number(digits)
  const key = name.toLowerCase().endsWith('.min') ? 'min' : `p${percent}`
  if (median?.readAt === undefined || key === 'p0') return undefined
  const named = (/** @type {string} */ text) => text.replace(/p50$/, key)
  return (
    metricNamed(named(median.name), figures) ?? {
      ...median,
      name: named(median.name),
      title: named(median.title),
      read: median.readAt(percent / 100),
      told: undefined,
      readAt: undefined
    }
  )
}

/**
 * figureNamed is the figure of a name that there is.
 *
 * @param {readonly Figure[]} figures
 * @param {string} name
 */
export const figureNamed = (figures, name) =>
  /** @type {Figure} */ (figures.find(figure => figure.name === name) ?? percentileNamed(name, figures))

/**
 * comparedIn are the figures that comparisons of runs of a plan decide on.
 *
 * @param {Pick<import('../measure/figure.js').Comparable<any>, 'figures' | 'variants'>} compared
 * @param {object} plan
 * @returns {Figure[]}
 */
export const comparedIn = ({ figures, variants = [] }, plan) =>
  figuresIn(variants.find(({ of }) => of(plan))?.figures ?? figures, plan)

/**
 * figuresIn are those that runs of a plan can have.
 *
 * @param {readonly Figure[]} figures
 * @param {object} plan - of any scenario
 * @returns {Figure[]}
 */
export const figuresIn = (figures, plan) =>
  figures.filter(({ lacks = () => null }) => lacks(/** @type {any} */ (plan)) === null)
