import { grouped, significant } from '../kit/numbers.js'

/**
 * @typedef {import('../measure/host.js').Host} Host
 * @typedef {import('../result/types.js').Summary} Summary
 */

/** Above these a run measures the want of cores. */
const MOST_PRESSURE_PERCENT = 10
const MOST_STEAL_PERCENT = 1
/** A time is believed where late timers move it by less than a tenth. */
const TIMES = 10

const NOT_KNOWN = 'not known'

/** @param {number | null} value */
const percent = value => (value === null ? NOT_KNOWN : `${significant(value)} %`)

/**
 * hostLines say what a machine is like, and in the last of them what it can be believed for.
 *
 * @param {Host} host
 * @param {Summary} hiccups - of its timers
 * @returns {[string, string][]} what, and how it is
 */
export function hostLines(host, hiccups) {
  const {
    cores,
    quotaCores,
    pressurePercent,
    stealPercent,
    clockSource,
    openFiles,
    namespaces,
    congestionControl
  } = host
  return [
    [
      'cores',
      quotaCores === null
        ? grouped(cores)
        : `${grouped(cores)}, of which ${significant(quotaCores)} may be used`
    ],
    ['waiting for a core', `something did for ${percent(pressurePercent)} of the last 10 s`],
    ['taken by other guests', `${percent(stealPercent)} of all cores since the start`],
    ['late timers', latenessOf(hiccups)],
    ['clock', clockSource ?? NOT_KNOWN],
    ['open files', openFiles === null ? NOT_KNOWN : `up to ${grouped(openFiles)}`],
    ['namespaces', namespaces === null ? NOT_KNOWN : `up to ${grouped(namespaces)} of users`],
    ['TCP', congestionControl ?? NOT_KNOWN],
    [
      'programs',
      Object.entries(programsOf(host))
        .map(([name, there]) => `${name} ${there ? 'found' : 'not found'}`)
        .join(', ')
    ],
    ['believed for', believedFor(host, hiccups)]
  ]
}

/** @param {Host} host */
const programsOf = ({ docker, nft, postgres, nats }) => ({ docker, nft, postgres, nats })

/** @param {Summary} hiccups */
function latenessOf({ p50, p99, max }) {
  const times = { p50, p99, max }
  const known = Object.entries(times).flatMap(([name, time]) =>
    time === null ? [] : [`${name} ${significant(time.ms)} ms`]
  )
  return `short sleeps were too long by ${known.join(', ')}`
}

/** @param {Host} host @param {Summary} hiccups */
function believedFor({ cores, quotaCores, pressurePercent, stealPercent }, { p99, max }) {
  const lateMs = (p99 ?? max)?.ms ?? Number.NaN
  const why = [
    Number(pressurePercent) > MOST_PRESSURE_PERCENT &&
      `something waits for a core for more than ${MOST_PRESSURE_PERCENT} % of the time`,
    Number(stealPercent) > MOST_STEAL_PERCENT &&
      `other guests take more than ${MOST_STEAL_PERCENT} % of its cores`,
    Math.min(cores, quotaCores ?? cores) < 2 && 'server and load generator share a core'
  ].filter(reason => reason !== false)
  const from = Number.isFinite(lateMs)
    ? `p99 from about ${significant(TIMES * lateMs)} ms on`
    : 'nobody knows what'
  return why.length === 0
    ? `${from}: a shorter one is moved by more than a tenth by late timers alone`
    : `no percentile just now, for ${why.join(' and ')}; counts and what succeeded can be believed`
}
