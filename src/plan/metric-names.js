/**
 * @typedef {import('../measure/metric.js').Metric} Metric
 * @typedef {Readonly<Record<string, Metric>>} Metrics - of a scenario, by name. A name means the same in every scenario that has it
 */

/**
 * metricsInWords says what there is.
 *
 * @param {Metrics} metrics
 */
export function metricsInWords(metrics) {
  const names = Object.keys(metrics)
  const types = [...new Set(Object.values(metrics).flatMap(({ type = [] }) => type))]
  const plain = names.filter(name => !types.some(type => name.startsWith(`${type}.`))).join(', ')
  if (types.length === 0) return plain
  const [, example = types[0]] = types
  const ofExample = names.flatMap(name =>
    name.startsWith(`${example}.`) ? name.slice(example.length + 1) : []
  )
  return `${plain}; for each of ${types.join(', ')}, as in ${example}.p99: ${ofExample.join(', ')}`
}

/**
 * metricNamed finds a metric's name, however its letters are written. Tables call p999 p99.9.
 *
 * @param {string} name
 * @param {Metrics} metrics
 * @returns {string | undefined}
 */
export function metricNamed(name, metrics) {
  const asked = name.toLowerCase().replace('.p99.9', '.p999')
  return Object.keys(metrics).find(known => known.toLowerCase() === asked)
}
