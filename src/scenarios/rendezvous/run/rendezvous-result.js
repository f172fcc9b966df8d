import { rateShapeOf } from '../../../load/rate-shape.js'
import { rolesOf } from '../../../load/roles.js'
import { encodedHistogram } from '../../../measure/encoded-histogram.js'
import { summarize } from '../../../measure/summary.js'
import { fairnessOf } from '../measure/fairness-result.js'
import { churnOf, operationResults, utilizations } from '../measure/operation-result.js'
import { faultResults } from '../measure/recovery.js'
import { soakOf } from '../measure/soak.js'

/**
 * @typedef {import('../../../result/types.js').Result} Result
 * @typedef {import('../measure/measurement.js').Measurement} Measurement
 * @typedef {import('../measure/totals.js').Totals} Totals
 * @typedef {import('../../../plan/plan.js').Plan} Plan
 */

/**
 * outcomeOfRun gives what was measured of the target, as far as a run has come.
 *
 * @param {Plan} plan
 * @param {Measurement} measurement
 * @param {object} known
 * @param {Result['outcome']['target']} known.target
 * @param {import('../../gossip/gossip-types.js').NamespaceFigures | null} [known.namespaces] - null: it was in none
 * @param {string | null} known.memoryCountedAs - of the server
 * @param {Result['outcome']['registrations']} known.registrations
 * @param {Result['outcome']['lookUp']} known.lookUp
 * @param {Result['outcome']['warmUp']} known.warmUp
 * @param {Result['outcome']['floor']} [known.floor]
 * @param {Result['outcome']['gossip']} [known.gossip] - of full peers
 * @param {import('../../profile/profiles.js').Profiles | null} [known.profiles] - null: nothing is sampled
 * @param {Result['outcome']['hostile']} [known.hostile] - what clients experienced beside hostile peers
 * @param {(ms: number) => number} known.sinceBegin
 * @param {(figures: import('../../../result/types.js').Figures) => import('../../../result/types.js').ThresholdResult[]} known.judged - its thresholds
 * @returns {Result['outcome']}
 */
export function outcomeOfRun(plan, measurement, known) {
  const { target, registrations, lookUp, floor, gossip, hostile, judged, namespaces = null } = known
  const measured = {
    ...measuredOf(plan, measurement, known),
    lookUp,
    ...(gossip !== undefined && { gossip }),
    ...(hostile !== undefined && { hostile })
  }
  return {
    target,
    ...(namespaces !== null && { namespaces }),
    ...measured,
    ...(floor !== undefined && { floor }),
    ...profilesIn(known.profiles ?? null),
    registrations,
    thresholds: judged(measured),
    faults: faultsOf(plan, measurement, measured.perSecond),
    soak: longRunOf(measurement, measured.perSecond)
  }
}

/**
 * @param {Plan} plan
 * @param {Measurement} measurement
 * @param {Pick<Parameters<typeof outcomeOfRun>[2], 'warmUp' | 'memoryCountedAs' | 'sinceBegin'>} known
 */
function measuredOf(plan, measurement, { warmUp, memoryCountedAs, sinceBegin }) {
  const { load, coveredMs } = measurement
  return {
    operations: operationResults(plan, measurement),
    warmUp,
    measuredMs: coveredMs,
    perSecond: load.perSecond(),
    secondsPerPoint: load.secondsPerPoint,
    server: serverResult(measurement, { memoryCountedAs, sinceBegin }),
    ...(measurement.members.size > 0 && { members: membersOf(measurement) }),
    fairness: fairnessOf(measurement, rolesOf(plan)),
    ...churnOf(measurement),
    ...stalenessOf(load),
    ...(load.limitedReplies > 0 && { limitedReplies: load.limitedReplies }),
    ...(plan.failover && { dialled: { ...load.dialled } })
  }
}

/** @param {import('../../profile/profiles.js').Profiles | null} profiles @returns {Pick<Result['outcome'], 'profiles'>} */
function profilesIn(profiles) {
  if (profiles === null) return {}
  const parts = /** @type {const} */ (['server', 'workers']).map(of => ({ of, ...profiles.sampledOf(of) }))
  return { profiles: parts.filter(({ profile, allocations }) => profile || allocations) }
}

/** @typedef {Result['outcome']['perSecond']} PerSecond */

/** @param {Plan} plan @param {Measurement} measurement @param {PerSecond} perSecond @returns {Result['outcome']['faults']} */
function faultsOf(plan, { faults, load, coveredMs }, perSecond) {
  if (faults.length === 0) return []
  const { ratePerSecond, arrivals, durationMs, timeoutMs } = plan
  const shape = ratePerSecond === null ? null : rateShapeOf({ arrivals, ratePerSecond, durationMs })
  return faultResults(faults, {
    perSecond,
    secondsPerPoint: load.secondsPerPoint,
    reconnects: load.reconnects,
    measuredMs: coveredMs,
    timeoutMs,
    // clients of the closed model send what they can, and the rate of a replay is not known: they are held against themselves
    dueIn: second => (shape === null ? 1 : shape.dueBy(second + load.secondsPerPoint) - shape.dueBy(second))
  })
}

/** @param {Measurement} measurement @param {PerSecond} perSecond @returns {Result['outcome']['soak']} */
function longRunOf({ measuredMs, resources, ownMemory, beganMs, faults, load }, perSecond) {
  /** @param {import('../../../measure/trend.js').Reading[]} readings */
  const sinceBegan = readings => readings.map(({ atMs, value }) => ({ atMs: atMs - beganMs, value }))
  // a server that was started again is another process
  const oneProcess = faults.every(({ kind }) => kind === 'pause' || kind === 'cpu')
  return soakOf({
    durationMs: measuredMs,
    serverMemory: oneProcess
      ? sinceBegan(resources.samples.map(({ atMs, rssBytes }) => ({ atMs, value: rssBytes })))
      : [],
    ownMemory: new Map(
      [...ownMemory].map(([name, { resident, inUse }]) => [
        name,
        { resident: sinceBegan(resident.readings), inUse: sinceBegan(inUse.readings) }
      ])
    ),
    perSecond,
    secondsPerPoint: load.secondsPerPoint
  })
}

/**
 * @param {Measurement} measurement
 * @param {{ memoryCountedAs: string | null, sinceBegin: (ms: number) => number }} known
 * @returns {Result['outcome']['server']}
 */
function serverResult({ resources, serverDurations, load }, { memoryCountedAs, sinceBegin }) {
  const { cpu, memory, series } = resources.result()
  if (cpu.averagePercent == null) return null
  return {
    cpu,
    memory,
    memoryCountedAs,
    series: series.map(sample => ({ ...sample, atMs: sinceBegin(sample.atMs) })),
    durations: serverDurations?.summaries(load.types)
  }
}

/** @param {Measurement} measurement @returns {Result['outcome']['members']} */
const membersOf = ({ members, memberDurations, storeWork, load }) =>
  [...members]
    .map(([name, resources]) => ({ name, ...resources.result() }))
    .filter(({ cpu }) => cpu.averagePercent !== null)
    .map(({ name, cpu, memory }) => ({
      ...{ name, cpu, memory },
      durations: memberDurations.get(name)?.summaries(load.types),
      ...storeWorkResult(storeWork.get(name))
    }))

/** @param {Record<string, number>} [work] @returns {Partial<Pick<NonNullable<Result['outcome']['members']>[number], 'pool' | 'written'>>} */
function storeWorkResult(work) {
  if (work === undefined) return {}
  const { wallMs: ms, connections, statements, waitedMs, heldMs, ...written } = work
  if (connections === undefined) return { written: { ...writtenBy(written), ms } }
  return {
    pool: {
      connections,
      statements,
      waitedMs: statements === 0 ? null : waitedMs / statements,
      usedPercent: (100 * heldMs) / (connections * ms)
    }
  }
}

/** @param {Record<string, number>} work */
const writtenBy = ({ writtenBytes, walBytes, fsyncs, checkpointFsyncs }) => ({
  writtenBytes,
  walBytes,
  fsyncs,
  checkpointFsyncs
})

/** @param {Totals} load @returns {Pick<Result['outcome'], 'staleness'>} */
function stalenessOf(load) {
  const { all, answered } = load.pools('sight', '')
  if (all.count === 0) return {}
  const notSeen = all.count - answered.count
  const histogram = encodedHistogram(answered)
  return { staleness: Object.assign(summarize(all, { answered }), { notSeen, histogram }) }
}

/** healthOfRun gives how busy the load generator was. @param {Measurement} measurement @returns {Result['run']['health']} */
export function healthOfRun(measurement) {
  const { workerTotals, workerUsage } = measurement
  return utilizations(measurement).map((utilization, worker) => {
    const { cpuMicros, wallMs } = workerUsage[worker]
    const totals = workerTotals[worker]
    return {
      worker,
      utilization,
      cpuPercent: wallMs > 0 ? cpuMicros / wallMs / 10 : 0,
      turns: summarize(totals.pooled('turn', '')),
      overhead: summarize(totals.overheads(null).histogram())
    }
  })
}
