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
  if (types.length === 0) return plain
  const [, example = types[0]] = types
  const ofExample = names.flatMap(name =>
    name.startsWith(`${example}.`) ? name.slice(example.length + 1) : []
  )
  return `${plain}; for each of ${types.join(', ')}, as in ${example}.p99: ${ofExample.join(', ')}`
}

/**
 * metricNamed finds a figure by its name, however its letters are written. Tables call p999 p99.9.
 *
 * @param {string} name
 * @param {readonly Figure[]} metrics
 */
export function metricNamed(name, metrics) {
  const asked = name.toLowerCase().replace('.p99.9', '.p999')
  return metrics.find(known => known.name.toLowerCase() === asked)
}

/**
 * figureNamed is the figure of a name that there is.
 *
 * @param {readonly Figure[]} figures
 * @param {string} name
 */
export const figureNamed = (figures, name) =>
  /** @type {Figure} */ (figures.find(figure => figure.name === name))

/**
 * figuresIn are those that runs of a plan can have.
 *
 * @param {readonly Figure[]} figures
 * @param {object} plan - of any scenario
 * @returns {Figure[]}
 */
export const figuresIn = (figures, plan) =>
  figures.filter(({ lacks = () => null }) => lacks(/** @type {any} */ (plan)) === null)
