import { readFile } from 'node:fs/promises'
import { runScenario } from '../../src/run/run.js'
import { loadScenario } from '../../src/scenarios/index.js'
import { readProcess } from '../../src/target/target.js'
import { makePlanOf } from '../../test/scenarios.js'

/**
 * @typedef {import('../../src/scenarios/gossip/outcome.js').GossipResult} GossipResult
 *
 * @typedef {object} NetworkRun
 * @property {GossipResult} result
 * @property {number | null} setupCpuMs - of the worker processes from their start until publishing began; null: not known here
 */

/** REPEATS of a run. */
export const REPEATS = Number(process.env.BENCH_REPEATS ?? 3)

/** @returns {Promise<number[]>} pids of the processes that this one has started; none where the system does not tell */
async function children() {
  const text = await readFile(`/proc/self/task/${process.pid}/children`, 'utf8').catch(() => '')
  return text.split(' ').filter(Boolean).map(Number)
}

/** @returns {Promise<number | null>} ms */
async function cpuOfChildren() {
  const pids = await children()
  const readings = await Promise.all(pids.map(pid => readProcess(pid)))
  return pids.length === 0 ? null : readings.reduce((sum, { cpuMs }) => sum + cpuMs, 0)
}

/**
 * networkRun runs a gossip network.
 *
 * @param {'gossip' | 'profile'} scenario
 * @param {Record<string, unknown>} options
 * @returns {Promise<NetworkRun>}
 */
export async function networkRun(scenario, options) {
  const { plan, problems } = makePlanOf(scenario, options)
  if (plan === undefined) throw new Error(JSON.stringify(problems))
  /** @type {number | null} */
  let setupCpuMs = null
  /** @type {import('../../src/scenarios/index.js').AnyResult | undefined} */
  let result
  for await (const record of runScenario(loadScenario)(plan, { id: 'bench' })) {
    if (record.type === 'phase' && record.name === 'publish' && record.state === 'begin')
      setupCpuMs = await cpuOfChildren()
    if (record.type === 'result') result = record.result
  }
  if (result?.status !== 'complete' || result.scenario !== 'gossip')
    throw new Error(`a run failed: ${result?.reason?.message}`)
  return { result, setupCpuMs }
}
