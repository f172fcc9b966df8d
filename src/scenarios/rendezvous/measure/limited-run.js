import { largestOf, sumOf } from '../../../kit/lists.js'
import { significant } from '../../../kit/numbers.js'
import { groupsOf } from '../../../load/roles.js'
import { generatorUse, limitedBy, waitedShareOf } from '../../../measure/limited-by.js'

/**
 * @typedef {import('../../../result/types.js').Result} Result
 * @typedef {import('../../../result/types.js').LimitedBy} LimitedBy
 * @typedef {import('../../../result/types.js').OperationResult} OperationResult
 * @typedef {import('../../../measure/limited-by.js').ProcessUse} ProcessUse
 * @typedef {Pick<Result, 'plan'> & { outcome: Omit<Result['outcome'], 'limitedBy' | 'thresholds'>, run: Pick<Result['run'], 'health' | 'lateness' | 'machine'> }} Measured
 */

const CORE = 100
/** What the database is called among the members. */
const DATABASE = 'database'
/** A process whose main thread has so much of its CPU time runs on one core, and cannot use more. */
const MAIN_THREAD_SHARE = 0.6

/**
 * limitedRun says what limited a run of operations at a rendezvous server.
 *
 * @param {Measured} measured
 * @returns {LimitedBy | undefined} undefined: nothing was measured
 */
export function limitedRun({ plan, outcome, run }) {
  const operations = Object.entries(outcome.operations).flatMap(([type, operation]) =>
    type === 'CONNECT' ? [] : [operation]
  )
  if (operations.length === 0 || outcome.measuredMs === 0) return undefined
  const measured = { plan, outcome, run }
  return limitedBy({
    server: serverUse(measured),
    generator: ownLimit(measured, operations) ?? generatorUse(run),
    ...linkUse(measured, operations),
    ...storeUse(measured, operations),
    ...achieved(measured, operations)
  })
}

/**
 * A limit of the load generator that kept operations from being sent: of those that may be under way, or of local ports.
 *
 * @param {Measured} measured
 * @param {readonly OperationResult[]} operations
 * @returns {ProcessUse | null}
 */
function ownLimit({ plan }, operations) {
  const of = (/** @type {string} */ outcome) => sumOf(operations, ({ outcomes }) => outcomes[outcome] ?? 0)
  if (of('DROPPED') > 0) return { percent: 100, of: `--maxInFlight ${plan.maxInFlight}` }
  return of('LOCAL_PORTS_EXHAUSTED') > 0 ? { percent: 100, of: 'local ports' } : null
}

/** @param {Measured} measured @returns {ProcessUse} */
function serverUse({ plan, outcome: { server, members = [], target }, run: { lateness, machine } }) {
  const servers = members.filter(({ name }) => name !== DATABASE)
  const known = servers.flatMap(({ cpu }) => cpu.averagePercent ?? [])
  const used = known.length > 0 ? largestOf(known) : (server?.cpu.averagePercent ?? null)
  if (used === null || (known.length === 0 && servers.length > 1)) return { percent: null }
  const quota = target.container?.cpus ?? Infinity
  const main = lateness?.processes.find(({ name }) => name === 'server')?.ownPercent ?? 0
  // JavaScript runs on one thread
  const threads = plan.target === null || main >= MAIN_THREAD_SHARE * used ? 1 : machine.cores
  const cores = Math.min(quota, threads)
  const waitedShare = quota < machine.cores ? undefined : waitedShareOf(lateness, 'server')
  return {
    percent: (CORE * used) / (CORE * cores),
    of: cores === 1 ? 'a core' : `${significant(cores)} cores`,
    ...(waitedShare !== undefined && { waitedShare })
  }
}

/**
 * In a network of namespaces each has a line up: replies share that of the server, requests have one for each client.
 *
 * @param {Measured} measured
 * @param {readonly OperationResult[]} operations
 */
function linkUse({ plan, outcome: { namespaces, measuredMs } }, operations) {
  const up = plan.upBandwidthBytesPerSecond ?? null
  if (up === null || namespaces === undefined) return {}
  const { router } = namespaces
  if (router === null) return { link: null }
  const replies = sumOf(operations, ({ receivedBytesPerSecond = 0 }) => receivedBytesPerSecond)
  const requests = Math.max(0, (router.bytes * 1000) / measuredMs - replies) / plan.nClients
  return { link: (100 * Math.max(replies, requests)) / up }
}

/** @param {import('../../../result/types.js').Summary} summary */
const totalMs = ({ avg, count }) => (avg?.ms ?? 0) * count

/**
 * Requests of which a server takes no part of the time itself wait for its store.
 *
 * @param {Measured} measured
 * @param {readonly OperationResult[]} operations
 */
function storeUse({ outcome: { server, members = [], measuredMs }, run: { machine } }, operations) {
  if (members.length === 0) return {}
  const database = members.find(({ name }) => name === DATABASE)?.cpu.averagePercent ?? 0
  const served = sumOf(Object.values(server?.durations ?? {}), totalMs)
  const worked = ((server?.cpu.averagePercent ?? 0) / CORE) * measuredMs
  const waited = sumOf(operations, ({ rt }) => totalMs(rt.all))
  const share = waited === 0 ? 0 : Math.max(0, served - worked) / waited
  return { store: Math.max(100 * share, database / machine.cores) }
}

/**
 * What was done of what was due, as if it had been done in the time in which it was due.
 *
 * @param {Measured} measured
 * @param {readonly OperationResult[]} operations
 */
function achieved({ plan, outcome: { measuredMs } }, operations) {
  if (plan.thinkTimeMs != null || groupsOf(plan).some(({ ratePerSecond }) => ratePerSecond === null))
    return {}
  const due = sumOf(operations, ({ count }) => count)
  const done = sumOf(operations, ({ outcomes }) => outcomes.OK ?? 0)
  const plannedMs = plan.durationMs ?? (1000 * due) / Number(plan.ratePerSecond)
  // the last operations end later than they were due
  const slowMs = largestOf(operations, ({ rt }) => (rt.all.p50 ?? rt.all.avg)?.ms ?? 0)
  const inTime = Math.min(1, plannedMs / Math.max(1, measuredMs - slowMs))
  return due === 0 ? {} : { achieved: (100 * done * inTime) / due }
}
