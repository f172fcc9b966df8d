// Merges the results of repeated runs of a rendezvous plan, each on a fresh server, into one result.

import { computeSum, findLargest, median, omitMissing } from '../../../kit/collections.js'
import { decodeOverheads, encodeOverheads, mergeOverheads } from '../../../measure/client-overhead.js'
import { encodeHistogram } from '../../../measure/distribution.js'
import { summarize } from '../../../measure/histogram.js'
import { MIN_SAMPLES } from '../../../measure/series.js'
import { judgeThresholds } from '../../../report/checks.js'
import { poolTimes } from '../../../report/result-folder.js'
import { RENDEZVOUS_FIGURES } from '../figures.js'

/**
 * @typedef {import('../../../report/schema.js').Result} Result
 * @typedef {import('../../../report/schema.js').OperationType} OperationType
 * @typedef {import('../../../report/schema.js').OperationResult} OperationResult
 * @typedef {import('../../../report/schema.js').ServerResult} ServerResult
 * @typedef {import('../../../report/schema.js').Summary} Summary
 *
 * @typedef {Pick<ServerResult, 'cpu' | 'memory'> & { series?: ServerResult['series'] }} Usage - of a server, or of a database
 * @typedef {{ usage: Usage, measuredMs: number }} Used - by one run
 */

/**
 * mergeResults merges the results of several runs of a plan, each on a server of its own: the operations of all, over the time of all. Parts
 * that no table shows are those of the first run.
 *
 * @param {readonly Result[]} results - one at least
 * @returns {Result}
 */
export function mergeResults(results) {
  const [first] = results
  const outcomes = results.map(({ outcome }) => outcome)
  const { members } = first.outcome
  const measured = {
    operations: mergedOperations(outcomes),
    measuredMs: computeSum(outcomes, ({ measuredMs }) => measuredMs),
    server: mergedServer(outcomes)
  }
  const gossip = worstGossip(outcomes)
  return {
    ...first,
    outcome: {
      ...first.outcome,
      ...measured,
      ...(members !== undefined && {
        members: members.map(member => ({ ...member, ...mergedMember(member.name, outcomes) }))
      }),
      ...gossip,
      perSecond: [],
      thresholds: judgeThresholds(
        first.plan.thresholds,
        { ...first.outcome, ...measured, ...gossip },
        RENDEZVOUS_FIGURES
      )
    },
    run: { ...first.run, warnings: results.flatMap(({ run }) => run.warnings) }
  }
}

/**
 * Deliveries of several networks cannot be merged into one distribution. The run with the lowest delivery ratio, or the slowest one, stands
 * for all.
 *
 * @param {readonly Result['outcome'][]} outcomes
 * @returns {Pick<Result['outcome'], 'gossip'>}
 */
function worstGossip(outcomes) {
  const known = outcomes.flatMap(({ gossip }) => gossip ?? [])
  const [worst] = known.toSorted(
    (a, b) =>
      (a.delivery.ratio ?? 1) - (b.delivery.ratio ?? 1) ||
      (b.latency.all.avg?.ms ?? 0) - (a.latency.all.avg?.ms ?? 0)
  )
  return worst === undefined ? {} : { gossip: worst }
}

/** @param {readonly Result['outcome'][]} outcomes @returns {Result['outcome']['operations']} */
function mergedOperations(outcomes) {
  const types = /** @type {OperationType[]} */ ([
    ...new Set(outcomes.flatMap(({ operations }) => Object.keys(operations)))
  ])
  return Object.fromEntries(
    types.map(type => {
      const runs = outcomes.flatMap(({ operations, measuredMs }) => {
        const operation = operations[type]
        return operation === undefined ? [] : [{ operation, measuredMs }]
      })
      const totalMs = computeSum(outcomes, ({ measuredMs }) => measuredMs)
      return [type, mergedOperation(runs, totalMs)]
    })
  )
}

/**
 * @param {readonly { operation: OperationResult, measuredMs: number }[]} runs
 * @param {number} totalMs - measured by all
 * @returns {OperationResult}
 */
function mergedOperation(runs, totalMs) {
  const operations = runs.map(({ operation }) => operation)
  const counts = operations.map(({ count }) => count)
  const histograms = operations.map(operation => operation.histograms)
  const outcomes = summedCounts(operations.map(operation => operation.outcomes))
  const perSecond = (/** @type {(operation: OperationResult) => number | undefined} */ read) =>
    totalMs > 0
      ? computeSum(runs, ({ operation, measuredMs }) => Number(read(operation) ?? 0) * measuredMs) / totalMs
      : 0
  const all = poolTimes(histograms)
  const ok = poolTimes(histograms.flatMap(({ OK }) => (OK === undefined ? [] : [{ OK }]))).all
  // results hold no histograms of service and lag
  const { service, lag, overheads: ofFirst, ...rest } = operations[0]
  const overheads = mergeOverheads(
    operations.flatMap(operation =>
      operation.overheads === undefined ? [] : decodeOverheads(operation.overheads)
    )
  )
  return {
    ...rest,
    count: computeSum(counts),
    errors: computeSum(operations, ({ errors }) => errors),
    outcomes,
    throughputPerSecond: perSecond(operation => operation.throughputPerSecond),
    rt: {
      all: mergedSummary(
        all,
        operations.map(({ rt }) => rt.all),
        overheads
      ),
      ok: mergedSummary(
        { all: ok, answered: ok },
        operations.map(({ rt }) => rt.ok),
        overheads
      )
    },
    ...(rest.receivedBytesPerSecond !== undefined && {
      receivedBytesPerSecond: perSecond(operation => operation.receivedBytesPerSecond)
    }),
    bytesPerReply: weighted(
      operations.map(({ bytesPerReply }) => bytesPerReply),
      counts
    ),
    serverCpuMicrosPerOperation: weighted(
      operations.map(({ serverCpuMicrosPerOperation: micros }) => micros),
      counts
    ),
    histograms: mergedHistograms(histograms),
    // older results have no overheads
    ...(overheads.count === computeSum(counts) && { overheads: encodeOverheads(overheads) })
  }
}

/** @param {readonly OperationResult['histograms'][]} runs - by outcome @returns {OperationResult['histograms']} */
const mergedHistograms = runs =>
  Object.fromEntries(
    [...new Set(runs.flatMap(run => Object.keys(run)))].map(outcome => {
      const parts = runs.flatMap(run => (run[outcome] === undefined ? [] : [{ [outcome]: run[outcome] }]))
      return [outcome, encodeHistogram(poolTimes(parts).all)]
    })
  )

/** @param {readonly Readonly<Record<string, number>>[]} counts */
function summedCounts(counts) {
  /** @type {Record<string, number>} */
  const sums = {}
  for (const [name, count] of counts.flatMap(each => Object.entries(each)))
    sums[name] = (sums[name] ?? 0) + count
  return sums
}

/**
 * @param {ReturnType<typeof poolTimes>} times - of all runs
 * @param {readonly Summary[]} summaries - of each
 * @param {import('../../../measure/client-overhead.js').Overheads} overheads - of all operations
 * @returns {Summary}
 */
function mergedSummary({ all, answered }, summaries, overheads) {
  // sum and maximum are not exact in a stored histogram
  all.sum = computeSum(summaries, ({ avg, count }) => 1000 * Number(avg?.ms ?? 0) * count)
  all.max = 1000 * findLargest(summaries, ({ max }) => Number(max?.ms ?? 0))
  return summarize(all, { answered, overheads })
}

/** @param {readonly (number | null | undefined)[]} values @param {readonly number[]} weights @returns {number | null} null: none is known */
function weighted(values, weights) {
  const known = values.flatMap((value, i) => (value == null ? [] : [{ value, weight: weights[i] }]))
  const sum = computeSum(known, ({ weight }) => weight)
  return sum > 0 ? computeSum(known, ({ value, weight }) => value * weight) / sum : null
}

/** @param {readonly Result['outcome'][]} outcomes @returns {ServerResult | null} */
function mergedServer(outcomes) {
  const used = outcomes.flatMap(({ server, measuredMs }) =>
    server === null ? [] : [{ usage: server, measuredMs }]
  )
  return used.length === 0 ? null : { ...used[0].usage, ...mergedUsage(used), series: [] }
}

/** @param {string} name - of a server, or of the database @param {readonly Result['outcome'][]} outcomes */
const mergedMember = (name, outcomes) =>
  mergedUsage(
    outcomes.flatMap(({ members = [], measuredMs }) =>
      members.filter(member => member.name === name).map(usage => ({ usage, measuredMs }))
    )
  )

/** @param {readonly Used[]} used @returns {Pick<ServerResult, 'cpu' | 'memory'>} */
function mergedUsage(used) {
  const cpus = used.map(({ usage }) => usage.cpu)
  const memories = used.map(({ usage }) => usage.memory)
  const samples = used.flatMap(({ usage }) => usage.series ?? [])
  const ofSamples = (/** @type {(sample: ServerResult['series'][number]) => number | null} */ read) =>
    omitMissing(samples.map(read))
  const cpu = typical(
    ofSamples(({ cpuPercent }) => cpuPercent),
    cpus,
    ['medianPercent', 'maxPercent']
  )
  const memory = typical(
    ofSamples(({ rssBytes }) => rssBytes),
    memories,
    ['medianBytes', 'maxBytes']
  )
  return {
    cpu: {
      averagePercent: weighted(
        cpus.map(({ averagePercent }) => averagePercent),
        used.map(({ measuredMs }) => measuredMs)
      ),
      medianPercent: cpu.median,
      maxPercent: cpu.max,
      samples: cpu.count
    },
    memory: {
      averageBytes: weighted(
        memories.map(({ averageBytes }) => averageBytes),
        memories.map(({ samples }) => samples)
      ),
      medianBytes: memory.median,
      maxBytes: memory.max,
      samples: memory.count
    }
  }
}

/**
 * Median and maximum of the samples of all runs. A compact result has no samples: the mean of the medians stands for their median then.
 *
 * @param {readonly number[]} values - of the samples
 * @param {readonly Record<string, number | null>[]} runs
 * @param {readonly [median: string, max: string]} keys
 */
function typical(values, runs, [medianKey, maxKey]) {
  const counts = runs.map(({ samples }) => Number(samples))
  const count = computeSum(counts)
  const [medians, maxima] = [medianKey, maxKey].map(key => runs.map(run => run[key]))
  if (count < MIN_SAMPLES) return { count, median: null, max: null }
  const known = [...values, ...omitMissing(maxima)]
  return {
    count,
    median: values.length > 0 ? median([...values]) : weighted(medians, counts),
    max: known.length === 0 ? null : findLargest(known)
  }
}
