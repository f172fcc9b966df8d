/**
 * tellProgress tells how far the measurement has come.
 *
 * @param {{ plan: Pick<import('../../../plan/plan.js').Plan, 'durationMs' | 'minDurationMs' | 'benchmarkRuns' | 'benchmarkType' | 'ratePerSecond' | 'arrivals'>, log: import('../../run-log.js').RunLog }} parts
 * @param {import('../measure/measurement.js').Measurement} measurement
 */
export function tellProgress({ plan, log }, measurement) {
  const { load, resources, coveredMs, soFarMs } = measurement
  if (load.operations === 0) return
  const type =
    load.types.find(name => name === plan.benchmarkType) ?? load.types.find(name => name !== 'CONNECT')
  const sample = resources.samples.at(-1)
  const ratePerSecond = (load.operations * 1000) / (coveredMs || soFarMs)
  const leftMs = Math.max(
    0,
    Math.min(
      (plan.durationMs ?? Infinity) - soFarMs,
      Math.max(plan.minDurationMs - soFarMs, unsentMs(plan, load.operations, ratePerSecond))
    )
  )
  log.progress({
    phase: 'measure',
    ...howFar(plan, { operations: load.operations, soFarMs, leftMs }),
    ratePerSecond,
    ...(type == null ? {} : quantiles(load, type)),
    cpuPercent: sample?.cpuPercent,
    rssBytes: sample?.rssBytes,
    etaMs: leftMs
  })
}

/**
 * Operations out of those that there will be, where that is known beforehand, else time.
 *
 * @param {Parameters<typeof tellProgress>[0]['plan']} plan
 * @param {{ operations: number, soFarMs: number, leftMs: number }} now
 * @returns {{ done: number, total: number, unit: string }}
 */
function howFar(
  { durationMs, minDurationMs, benchmarkRuns, ratePerSecond, arrivals },
  { operations, soFarMs, leftMs }
) {
  const counted = durationMs === null && minDurationMs === 0 ? benchmarkRuns : null
  const due =
    durationMs !== null && ratePerSecond !== null && arrivals === 'constant'
      ? Math.round((ratePerSecond * durationMs) / 1000)
      : null
  const total = counted ?? due
  return total === null
    ? { done: soFarMs, total: soFarMs + leftMs, unit: 'ms' }
    : { done: operations, total: Math.max(total, operations), unit: 'operations' }
}

/**
 * How long it takes to send the operations that are left.
 *
 * @param {Pick<import('../../../plan/plan.js').Plan, 'benchmarkRuns' | 'ratePerSecond'>} plan
 * @param {number} done - operations
 * @param {number} nowPerSecond
 */
const unsentMs = ({ benchmarkRuns, ratePerSecond }, done, nowPerSecond) =>
  (1000 * Math.max(0, (benchmarkRuns ?? Infinity) - done)) / (ratePerSecond ?? nowPerSecond)

/** @param {import('../measure/totals.js').Totals} totals @param {string} type */
function quantiles(totals, type) {
  const all = totals.pooled('rt', type)
  return { p50Ms: all.quantile(0.5) / 1000, p99Ms: all.quantile(0.99) / 1000 }
}
