import { counted, significant, spell } from '../../kit/numbers.js'
import { errorsOf, strictWarnings } from '../../result/strict.js'
import { describeWarning } from '../../result/warnings.js'
import { thresholdFound } from '../threshold-lines.js'
import { facts, table } from './tables.js'

/**
 * @typedef {import('../../result/types.js').AnyResult} AnyResult
 * @typedef {import('../../result/types.js').Warning} Warning
 * @typedef {import('./description.js').Description} Description
 * @typedef {import('./description.js').DescribedTable} DescribedTable
 * @typedef {import('./description.js').DescribedWarning} DescribedWarning
 */

/**
 * warningText says a warning in words. A result of a later version may carry a code that this one has no text for.
 *
 * @param {Warning} warning
 * @param {import('../../result/warnings.js').Advised} [about] - the result that carries it
 */
export function warningText(warning, about) {
  try {
    return describeWarning(warning, about)
  } catch {
    return `${warning.code} ${JSON.stringify(warning.values)}`
  }
}

/** What stays after the run, for its user to clear. */
const LEFT = ['LEFT_BEHIND', 'LEFT_UNTIL_TTL', 'STORE_NOT_RESTORED']

/** What was asked for was not done: it is named before what else its figures are of. */
const FAILURES = [
  'OPERATIONS_FAILED',
  'NOT_PUBLISHED',
  'NOTHING_PUBLISHED',
  'DELIVERIES_MISSING',
  'PUBLISH_FAILED',
  'SERVER_RESTARTED'
]

/** By harm: what makes a run an error, what it left behind, what failed in it, what --strict fails for, the rest. @param {AnyResult} result @returns {DescribedWarning[]} */
function warningsOf(result) {
  const [errors, strict] = [errorsOf(result), strictWarnings(result)]
  const harm = (/** @type {Warning} */ warning) =>
    [
      errors.includes(warning),
      LEFT.includes(warning.code),
      FAILURES.includes(warning.code),
      strict.includes(warning),
      true
    ].indexOf(true)
  const ordered = [...result.run.warnings].sort((a, b) => harm(a) - harm(b))
  return ordered.map(warning => ({ code: warning.code, text: warningText(warning, result) }))
}

/** @param {AnyResult} result @returns {DescribedWarning[]} */
const partial = ({ status, reason }) =>
  status === 'partial'
    ? [{ code: 'PARTIAL', text: `Partial result: ${reason?.message ?? 'the run did not end'}` }]
    : []

/** @param {AnyResult} result of a version without them too */
const thresholdTable = ({ outcome: { thresholds = [] } }) => ({
  ...table('thresholds', 'Thresholds', thresholds, [
    ['Thresholds', ({ passed, text }) => `${passed ? '✔' : '✖'} ${text}`, 'text'],
    ['Measured', threshold => thresholdFound(threshold), 'text'],
    ['Result', ({ passed }) => (passed ? 'passed' : 'failed'), 'text']
  ]),
  terminal: true
})

/** @param {AnyResult} result */
const agentTable = ({ run: { agents = [] } }) => ({
  ...table('agents', 'Agents', agents, [
    ['Agent', ({ id, host }) => `${id} (${host})`, 'text'],
    ['Cores', ({ cores }) => cores, 'count'],
    ['Workers', ({ workers }) => workers.join(', '), 'text'],
    ['Ops', ({ operations }) => operations, 'count'],
    ['Busiest worker %', ({ busiest }) => busiest && 100 * busiest, 'percent'],
    ['Client overhead max ms', ({ overheadMs }) => overheadMs, 'ms', 'wide'],
    ['Began late ms', ({ lateMs }) => lateMs, 'ms', 'wide'],
    ['Clock ± ms', ({ clock }) => clock?.errorMs, 'ms'],
    ['Drift ppm', ({ clock }) => clock?.driftPpm, 'number', 'wide'],
    ['Lost', ({ lost }) => (lost === null ? 'no' : `after ${significant(lost.atMs / 1000)} s`), 'text']
  ]),
  terminal: true
})

/**
 * describeRun describes a result: what its scenario says, and what every run has: warnings by harm, thresholds, agents.
 *
 * @param {AnyResult} result - of a partial run too
 * @param {Pick<import('./description.js').Describe, 'describeResult'>} describe - of its scenario
 * @returns {Description}
 */
export function describeRun(result, { describeResult }) {
  const { tables, warnings, ...described } = describeResult(result)
  const known = warningsOf(result)
  const codes = new Set(known.map(({ code }) => code))
  return {
    ...described,
    tables: [...tables, thresholdTable(result), agentTable(result)],
    warnings: [...partial(result), ...known, ...warnings.filter(({ code }) => !codes.has(code))]
  }
}

/** What would fill pages, such as the edges of a topology. */
const MOST_LETTERS = 400

/**
 * shortJson writes a value of a plan, cut where it is long.
 *
 * @param {unknown} value
 */
function shortJson(value) {
  const text = JSON.stringify(value)
  return text.length <= MOST_LETTERS ? text : `${text.slice(0, MOST_LETTERS)}… (whole in result.json)`
}

/** @param {unknown} value @returns {string | null} */
function words(value) {
  if (value === null || value === undefined) return null
  if (Array.isArray(value)) return value.map(item => item?.text ?? words(item) ?? '–').join('; ')
  return typeof value === 'object' ? shortJson(value) : String(value)
}

/** planTable has every parameter of a plan. @param {object} plan */
export const planTable = plan =>
  facts(
    'plan',
    'Plan',
    Object.entries(plan).map(([name, value]) => [name, words(value) ?? '–', 'text'])
  )

/** environmentTable says on what a run was made. @param {Pick<AnyResult['run'], 'machine' | 'versions'>} run */
export const environmentTable = ({ machine, versions }) =>
  facts('environment', 'Environment', [
    ['Machine', `${machine.cores} × ${machine.cpu}, ${machine.platform} ${machine.arch}`, 'text'],
    ['Memory', machine.memoryBytes / 1e6, 'MB'],
    ['Load average at the start', machine.loadAverage.map(load => load.toFixed(2)).join(', '), 'text'],
    ...Object.entries(versions).map(
      ([name, version]) => /** @type {[string, string, 'text']} */ ([name, String(version), 'text'])
    )
  ])

/**
 * aboutRun says when, with what and on what a run was made: tables at the end of a report.
 *
 * @param {AnyResult} result
 * @returns {DescribedTable[]}
 */
export const aboutRun = ({ plan, run }) => [
  table('phases', 'Phases', run.phases, [
    ['Phase', ({ name }) => name, 'text'],
    ['State', ({ state }) => state, 'text'],
    ['Began after, s', ({ startMs }) => startMs / 1000, 's'],
    ['Took, s', ({ durationMs }) => durationMs && durationMs / 1000, 's'],
    ['Detail', ({ detail }) => detail, 'text']
  ]),
  planTable(plan),
  environmentTable(run)
]

/**
 * tookLine says when a run or a study was made, and how long it took.
 *
 * @param {{ startedAt: string, finishedAt: string | null }} times - ISO 8601
 * @param {{ machine?: { cores: number, cpu: string } }} [on]
 */
export function tookLine({ startedAt, finishedAt }, { machine } = {}) {
  const took = finishedAt === null ? null : Date.parse(finishedAt) - Date.parse(startedAt)
  return [
    `${startedAt.slice(0, 10)} ${startedAt.slice(11, 16)} UTC`,
    took === null ? 'its end was not written' : `took ${spell(Math.max(0, took))}`,
    ...(machine === undefined ? [] : [`${counted(machine.cores, 'core')}, ${machine.cpu}`])
  ].join(' · ')
}
