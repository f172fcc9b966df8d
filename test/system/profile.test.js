import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { makePlan, runPlan } from '../../src/index.js'
import { newFolder, PAIRS, startCommand, TIMEOUT } from '../acceptance/loadtest.js'
import { ON_LINUX } from '../acceptance/processes.js'

/**
 * @typedef {import('../../src/scenarios/gossip/outcome.js').GossipResult} GossipResult
 * @typedef {import('../../src/measure/process-profile.js').CpuProfile} CpuProfile
 * @typedef {Omit<import('../acceptance/loadtest.js').Outcome, 'result'> & { result: GossipResult }} ProfileEnded
 */

/** A network that stands within seconds. */
const NETWORK = Object.freeze({
  nodes: '6',
  topology: 'random-degree:k=3',
  topics: '2',
  heartbeat_interval: '200ms'
})
const SMALL = Object.entries(NETWORK).flatMap(([name, value]) => [`--${name}`, value])

/** Enough to be profiled, and nobody is busy with it. */
const SLOW = Object.freeze({ interval: '150ms-250ms', workers: '1' })

/** @param {GossipResult} result @param {string} category */
const selfShareOf = ({ outcome: { profile } }, category) =>
  profile?.hotSpots.categories.find(shares => shares.category === category)?.selfShare ?? 0

/** @param {string} folder @param {string} file @returns {Promise<CpuProfile>} */
const cpuProfile = async (folder, file) => JSON.parse(await readFile(join(folder, file), 'utf8'))

/**
 * A run that is broken off by its signal, as Ctrl-C does it: that costs no process of its own.
 *
 * @param {Record<string, string>} options
 * @param {(record: import('../../src/report/schema.js').RunRecord) => boolean} isTime
 * @returns {Promise<GossipResult>}
 */
async function brokenOff(options, isTime) {
  const { plan, problems } = await makePlan('profile', { ...NETWORK, ...options })
  assert.equal(problems, undefined)
  const breaking = new AbortController()
  const settings = { id: 'broken-off', folder: await newFolder(), signal: breaking.signal }
  for await (const record of runPlan(plan, settings)) {
    if (isTime(record)) breaking.abort()
    if (record.type === 'result') return /** @type {any} */ (record.result)
  }
  throw new Error('the run ended without a result')
}

describe('breaking it off', PAIRS, () => {
  test('by Ctrl-C ends a profile without --duration as it should end: complete, exit code 0', {
    ...ON_LINUX,
    ...TIMEOUT
  }, async () => {
    const slow = Object.entries(SLOW).flatMap(([name, value]) => [`--${name}`, value])
    const loadtest = startCommand('profile', [...SMALL, ...slow], { ownGroup: true })
    await loadtest.measured()
    loadtest.ctrlC()
    const ended = /** @type {ProfileEnded} */ (/** @type {unknown} */ (await loadtest.ended))
    const { code, stderr, folder, result } = ended
    assert.deepEqual(await loadtest.leftAfter(), [])
    assert.deepEqual([code, result.status, result.reason], [0, 'complete', null], stderr)
    assert.match(stderr, /until Ctrl-C/)
    assert.ok(result.outcome.messages.published > 0)
    assert.ok(result.outcome.delivery.delivered > 0)
    assert.ok(Number(result.outcome.profile?.hotSpots.durationMs) > 0)
    assert.ok(Number((await cpuProfile(folder, 'worker-0.cpuprofile')).samples?.length) > 50)
  })

  test('before anything is published leaves no profile', TIMEOUT, async () => {
    // links so slow that connecting takes its time
    const { status, reason, outcome } = await brokenOff(
      { ...SLOW, linkLatency: '400ms' },
      record => record.type === 'phase' && record.name === 'provision' && record.state === 'done'
    )
    assert.deepEqual([status, reason?.code], ['partial', 'INTERRUPTED'])
    assert.equal(outcome.profile, undefined)
  })

  test('one with --duration makes it partial, and keeps what was sampled', TIMEOUT, async () => {
    let intervals = 0
    const result = await brokenOff({ ...SLOW, duration: '60s' }, ({ type }) => {
      if (type === 'interval') intervals++
      return intervals === 2
    })
    assert.deepEqual([result.status, result.reason?.code], ['partial', 'INTERRUPTED'])
    assert.ok(selfShareOf(result, 'signature') > 0.05)
  })
})
