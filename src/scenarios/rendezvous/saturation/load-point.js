import { sumOf } from '../../../kit/lists.js'
import { summarize } from '../../../measure/summary.js'
import { waitingOverTime } from '../../../measure/waiting.js'
import { pooledTimes } from '../../../result/pooled-times.js'
import { failsStrict } from '../../../result/strict.js'

/**
 * @typedef {import('../../../result/types.js').Result} Result
 * @typedef {import('../../../result/types.js').Summary} Summary
 * @typedef {import('../../../result/types.js').OperationResult} OperationResult
 *
 * @typedef {Pick<Summary, 'avg' | 'p50' | 'p90' | 'p95' | 'p99' | 'max'>} Times
 *
 * @typedef {object} Members - average CPU, 100 is one core; null: not sampled
 * @property {number} servers
 * @property {number | null} busiestCpuPercent - of the server that used most
 * @property {number | null} databaseCpuPercent - of all its processes
 *
 * @typedef {object} LoadPoint - what a server made of one load, of all types of operations together; CONNECT, which is part of the
 *   operation after it, is not counted
 * @property {number} durationMs - that operations were due for
 * @property {number} due - operations
 * @property {number} achieved - operations that succeeded within the duration
 * @property {number} failed - operations that did not succeed at all
 * @property {number} dropped - of those: never sent, because --maxInFlight was reached
 * @property {number} portsExhausted - of those: no connection could be opened, because the machine ran out of local ports
 * @property {number[]} waiting - operations that were due and had not ended, at the end of each second
 * @property {Times} rt - response time
 * @property {boolean} ours - the server is one of ours
 * @property {number} cores - of the machine, as far as this program may use them
 * @property {boolean} [throttled] - it was held back, for it had used what it may of them
 * @property {number | null} cpus - cores the server may use; null: all
 * @property {number | null} memoryBytes - the server may use; null: all
 * @property {number | null} serverCpuPercent - average; 100 is one core; of several servers all together
 * @property {Members} [members] - where servers share a store, or keep it outside of their memory
 * @property {number | null} serverMemoryBytes - maximum of the samples
 * @property {number | null} utilization - of the busiest worker's event loop, 0 to 1
 * @property {number} generatorCpuPercent - of all workers
 * @property {number | null} lagP99Ms - how late operations were sent
 * @property {boolean} generatorLimited - --strict fails for the run
 */

/** What the database is called among the members. */
const DATABASE = 'database'

/**
 * loadPointOf reads from the result of a run in the open model what its load came to.
 *
 * @param {Result} result - with a duration
 * @returns {LoadPoint}
 */
export function loadPointOf({ plan, outcome, run, ...result }) {
  const operations = Object.entries(outcome.operations).filter(([type]) => type !== 'CONNECT')
  const figures = operations.map(([, figures]) => figures)
  const durationMs = plan.durationMs ?? outcome.measuredMs
  const seconds = Math.max(1, Math.round(durationMs / 1000))
  const ended = outcome.perSecond
    .filter(({ type }) => type !== 'CONNECT')
    .flatMap(entry => inSeconds(entry, outcome.secondsPerPoint))
  const due = sum(figures.map(({ count }) => count))
  const succeeded = ended.filter(({ second, outcome }) => outcome === 'OK' && second < seconds)
  return {
    durationMs,
    due,
    achieved: sum(succeeded.map(({ count }) => count)),
    failed: sum(figures.map(({ errors }) => errors)),
    dropped: sum(figures.map(({ outcomes }) => outcomes.DROPPED ?? 0)),
    portsExhausted: sum(figures.map(({ outcomes }) => outcomes.LOCAL_PORTS_EXHAUSTED ?? 0)),
    waiting: waitingOverTime(ended, due, seconds),
    rt: timesOf(figures),
    ...serverOf(plan, outcome, run),
    ...generatorOf(figures, run),
    generatorLimited: failsStrict({ run, ...result })
  }
}

/** @param {number[]} numbers */
const sum = numbers => sumOf(numbers)

/** @param {[number, number][]} histogram */
const countOf = histogram => sum(histogram.map(([, count]) => count))

/**
 * A point of a long run covers several seconds: its operations count as ended evenly over them.
 *
 * @param {Result['outcome']['perSecond'][number]} entry
 * @param {number} width - s
 */
function inSeconds({ second, outcome, histogram }, width) {
  const upTo = (/** @type {number} */ seconds) => Math.round((countOf(histogram) * seconds) / width)
  return Array.from({ length: width }, (_, i) => ({
    second: second + i,
    outcome,
    count: upTo(i + 1) - upTo(i)
  }))
}

/** @param {Result['plan']} plan @param {Result['outcome']} outcome @param {Result['run']} run */
const serverOf = (
  { target, cpus, memoryBytes },
  { server, members = [], target: at },
  { machine, host, warnings }
) => ({
  ours: target === null,
  // a container has a quota of its own
  cores: at?.kind === 'docker' ? machine.cores : Math.min(machine.cores, host?.quotaCores ?? Infinity),
  throttled: warnings.some(({ code }) => code === 'THROTTLED'),
  cpus,
  memoryBytes,
  serverCpuPercent: server?.cpu.averagePercent ?? null,
  serverMemoryBytes: server?.memory.maxBytes ?? server?.memory.averageBytes ?? null,
  ...membersOf(members)
})

/** @param {NonNullable<Result['outcome']['members']>} members @returns {Pick<LoadPoint, 'members'>} */
function membersOf(members) {
  const servers = members.filter(({ name }) => name !== DATABASE)
  if (servers.length === 0) return {}
  const used = servers.flatMap(({ cpu }) => cpu.averagePercent ?? [])
  return {
    members: {
      servers: servers.length,
      busiestCpuPercent: used.length === 0 ? null : Math.max(...used),
      databaseCpuPercent: members.find(({ name }) => name === DATABASE)?.cpu.averagePercent ?? null
    }
  }
}

/** @param {OperationResult[]} figures @param {Result['run']} run */
function generatorOf(figures, { health }) {
  const lags = figures.flatMap(({ lag }) => lag?.p99?.ms ?? [])
  return {
    utilization: health.length === 0 ? null : Math.max(...health.map(({ utilization }) => utilization)),
    generatorCpuPercent: sum(health.map(({ cpuPercent }) => cpuPercent)),
    lagP99Ms: lags.length === 0 ? null : Math.max(...lags)
  }
}

/** @param {Summary} summary @returns {Times} */
const times = ({ avg, p50, p90, p95, p99, max }) => ({ avg, p50, p90, p95, p99, max })

/** @type {Times} */
const NO_TIMES = { avg: null, p50: null, p90: null, p95: null, p99: null, max: null }

/** Of several types together, the figures of all operations. @param {OperationResult[]} figures @returns {Times} */
function timesOf(figures) {
  if (figures.length === 0) return NO_TIMES
  if (figures.length === 1) return times(figures[0].rt.all)
  const { all, answered } = pooledTimes(figures.map(({ histograms }) => histograms))
  return times(summarize(all, { answered }))
}
