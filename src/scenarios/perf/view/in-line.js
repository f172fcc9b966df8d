import { counted, significant } from '../../../kit/numbers.js'
import { perfPlan } from '../perf-plan.js'
import { perfResult } from '../perf-types.js'
import { waysOf } from '../plan/ways.js'

/** work is what a plan moves. @param {unknown} plan */
export function work(plan) {
  const { measures, sizeBytes } = perfPlan(plan)
  const moves = measures.includes('upload') || measures.includes('download')
  return `${measures.join(', ')}${moves ? ` of ${significant(sizeBytes / 1e6)} MB` : ''}`
}

/** setting is between whom. @param {unknown} plan */
export function setting(plan) {
  const { repeats, target, latencyMs, bandwidthBytesPerSecond } = perfPlan(plan)
  return [
    `${counted(waysOf(perfPlan(plan)).length, 'way')}`,
    `${counted(repeats, 'repeat')}`,
    target === null ? 'a server in a process of its own' : `target ${target}`,
    ...(latencyMs > 0 ? [`${latencyMs} ms each way`] : []),
    ...(bandwidthBytesPerSecond === null ? [] : [`${significant(bandwidthBytesPerSecond / 1e6)} MB/s`])
  ]
}

/** came is what came of it. @param {unknown} result */
export function came(result) {
  const [row] = perfResult(result).outcome.rows
  return row === undefined
    ? 'nothing was moved'
    : `${row.direction} ${significant(row.bytesPerSecond.median / 1e6)} MB/s over ${row.way}, ${counted(row.streams, 'stream')}`
}
