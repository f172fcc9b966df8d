import { GOSSIP_METRICS } from './gossip-metrics.js'
import { RUN_METRICS, typeMetrics } from './operation-metrics.js'
import { ROTATION_METRICS } from './rotation-metrics.js'
import { SERVER_METRICS } from './server-metrics.js'

/**
 * @typedef {import('../types.js').OperationType} OperationType
 * @typedef {import('../../plan/plan.js').ScenarioName} ScenarioName
 * @typedef {import('./metric.js').Metric} Metric
 */

/** @type {readonly OperationType[]} */
const TYPES = Object.freeze(['REGISTER', 'DISCOVER', 'UNREGISTER', 'CONNECT'])

/** @type {Readonly<Record<string, Metric>>} */
const OF_OPERATIONS = Object.freeze({
  ...RUN_METRICS,
  ...SERVER_METRICS,
  ...Object.fromEntries(
    TYPES.flatMap(type =>
      Object.entries(typeMetrics(type)).map(([name, metric]) => [`${type}.${name}`, metric])
    )
  )
})

/** @type {Readonly<Record<ScenarioName, Readonly<Record<string, Metric>>>>} */
const BY_SCENARIO = Object.freeze({
  rendezvous: OF_OPERATIONS,
  gossip: GOSSIP_METRICS,
  profile: GOSSIP_METRICS,
  rotation: GOSSIP_METRICS,
  'rotation-rendezvous': { ...ROTATION_METRICS, ...OF_OPERATIONS }
})

/**
 * METRICS is the one table of what thresholds can be set on, by name. A name means the same in every scenario that has it.
 *
 * @type {Readonly<Record<string, Metric>>}
 */
export const METRICS = Object.freeze(Object.assign({}, ...Object.values(BY_SCENARIO)))

/** metricNames lists the metrics of a scenario. @param {ScenarioName} scenario */
export const metricNames = scenario => Object.keys(BY_SCENARIO[scenario])

/**
 * metricsInWords says what there is.
 *
 * @param {ScenarioName} scenario
 */
export function metricsInWords(scenario) {
  const names = metricNames(scenario)
  const plain = names.filter(name => !TYPES.some(type => name.startsWith(`${type}.`))).join(', ')
  return names.includes('DISCOVER.avg')
    ? `${plain}; for each of ${TYPES.join(', ')}, as in DISCOVER.p99: ${Object.keys(typeMetrics('DISCOVER')).join(', ')}`
    : plain
}

/**
 * metricNamed finds a metric's name, however its letters are written. Tables call p999 p99.9.
 *
 * @param {string} name
 * @param {ScenarioName} scenario
 * @returns {string | undefined}
 */
export function metricNamed(name, scenario) {
  const asked = name.toLowerCase().replace('.p99.9', '.p999')
  return metricNames(scenario).find(known => known.toLowerCase() === asked)
}
