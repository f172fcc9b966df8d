import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RENDEZVOUS } from '../../src/scenarios/rendezvous/scenario.js'
import { comparePairs } from '../../src/studies/compare/comparison.js'
import { orderRuns } from '../../src/studies/compare/study.js'
import { makePlan } from '../../test/scenarios.js'

/** @typedef {import('../../src/report/schema.js').Result} Result */

const PAIRS = 8
const CACHE = join(tmpdir(), 'libp2p-loadtest-bench-cache')
const DELAY = 'RENDEZVOUS_REPLY_DELAY'

/** REPEATS of a comparison: those of the target, or fewer for a look. */
export const REPEATS = Number(process.env.BENCH_REPEATS ?? 20)

/**
 * The server holds every reply back for so long, in both arms. Without, an arm that waits wakes its processor up before it sends, and
 * the other one does not: the delay would come out up to a fifth smaller than it is.
 */
export const BASE_DELAY_MS = 4

/** A light load, so that a delay of the server is neither hidden in a queue nor makes one. */
const OPTIONS = {
  server: 'process',
  nClients: 2,
  workers: 1,
  initialRegistrations: 100,
  nNamespaces: 1,
  benchmarkType: 'DISCOVER',
  discoverLimit: 20,
  rate: '40/s',
  duration: '1s',
  warmup: '200ms'
}

/**
 * run measures our server in a process of its own.
 *
 * @param {number} replyDelayMs - of every reply of the server
 * @param {Record<string, unknown>} [options] - of the plan, beside those of all
 * @returns {Promise<Result>}
 */
export async function run(replyDelayMs, options = {}) {
  const { plan } = makePlan({ ...OPTIONS, ...options })
  // the server reads it from its environment, so that the plans are the same
  process.env[DELAY] = `${replyDelayMs}ms`
  /** @type {Result | undefined} */
  let result
  const files = { id: 'bench', cacheDir: CACHE }
  for await (const record of (await RENDEZVOUS.run())(
    /** @type {import('../../src/scenarios/rendezvous/options.js').Plan} */ (plan),
    files
  ))
    if (record.type === 'result' && record.result.scenario === 'rendezvous') result = record.result
  delete process.env[DELAY]
  if (result?.status !== 'complete') throw new Error(`a run failed: ${result?.reason?.message}`)
  return result
}

/** p50Of a run. @param {Result} result */
export const p50Of = ({ outcome }) => Number(outcome.operations.DISCOVER?.rt.all.p50?.ms)

/** p50WithoutDelay is what a delay is measured out by, ms. */
export const p50WithoutDelay = async () => p50Of(await run(BASE_DELAY_MS))

/**
 * comparison of the server with itself, the second time with a delay: real runs in turn, a fresh server each.
 *
 * @param {number} delayMs
 */
export async function comparison(delayMs) {
  /** @type {Record<'a' | 'b', Result[]>} */
  const results = { a: [], b: [] }
  for (const { arm } of orderRuns(PAIRS, ['a', 'b']))
    results[arm].push(await run(BASE_DELAY_MS + (arm === 'b' ? delayMs : 0)))
  const compared = comparePairs(
    { label: 'a', results: results.a, scenario: RENDEZVOUS },
    { label: 'b', results: results.b, scenario: RENDEZVOUS },
    { alternated: true }
  )
  return { ...compared, baseRuns: results.a }
}
