import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Stretches } from '../../../../src/scenarios/abuse/run/stretches.js'

const PLAN = /** @type {any} */ ({ warmupMs: 0, stretchMs: 1, ratePerSecond: 40 })
/** Of two intervals. */
const ENOUGH = 20
const NOT_TOLD = { cpuMs: null, rssBytes: null, longestTurnMs: null }

/** @param {number} tookMs @param {number} [count] @param {Record<string, number>} [failures] */
const answers = (tookMs, count = ENOUGH, failures = {}) => ({
  dueMs: Float64Array.from({ length: count }, (_, i) => 25 * i),
  tookMs: new Float64Array(count).fill(tookMs),
  failures
})

/** @param {Partial<ConstructorParameters<typeof Stretches>[0]> & { seen?: () => any }} [other] */
function fakeParts({ seen = () => NOT_TOLD, ...other } = {}) {
  /** @type {string[]} */
  const log = []
  const ask = other.ask ?? (async () => answers(2))
  const endAbuse = other.endAbuse ?? (async () => ({ notSent: 0.25, failure: null }))
  const parts = /** @type {any} */ ({
    ask: (/** @type {number} */ ms) => {
      log.push(`ask ${ms}`)
      return ask(ms)
    },
    beginAbuse: async () => log.push('begin'),
    endAbuse: () => {
      log.push('end')
      return endAbuse()
    },
    watch: { seen: async () => seen(), calm: async () => log.push('calm') }
  })
  return { parts, log }
}

const QUIET = ['ask 1']
const ABUSED = ['begin', 'ask 1', 'end', 'ask 500', 'calm']

describe('stretches', () => {
  it('take turns: the one without abuse is first in the first pair, second in the next', async () => {
    const { parts, log } = fakeParts()
    const stretches = new Stretches(parts, PLAN)
    const { quiet, abused } = await stretches.pair(0)
    assert.deepEqual(log.splice(0), [...QUIET, ...ABUSED])
    assert.deepEqual([quiet.asked, quiet.failed, quiet.p50Ms, quiet.cpuPercent], [20, 0, 2, null])
    assert.deepEqual([abused.notSent, abused.recoveryMs], [0.25, 0])
    await stretches.pair(1)
    assert.deepEqual(log, [...ABUSED, ...QUIET])
  })

  it('warm up without abuse, then under it, and wait until the server is done; or not at all', async () => {
    const { parts, log } = fakeParts()
    await new Stretches(parts, PLAN).warmUp()
    assert.deepEqual(log, [])
    await new Stretches(parts, { ...PLAN, warmupMs: 300 }).warmUp()
    assert.deepEqual(log, ['ask 300', 'begin', 'ask 1', 'end', 'calm'])
  })

  it('have the share of a core that the server used, and the memory and longest turn it told last', async () => {
    let looked = 0
    const { parts } = fakeParts({
      ask: () => sleep(20, answers(2)),
      seen: () => ({ cpuMs: 10 * looked++, rssBytes: 5e6, longestTurnMs: 3 })
    })
    const { quiet } = await new Stretches(parts, PLAN).pair(0)
    assert.ok(Number(quiet.cpuPercent) > 0 && Number(quiet.cpuPercent) < 60, String(quiet.cpuPercent))
    assert.deepEqual([quiet.rssBytes, quiet.longestTurnMs], [5e6, 3])
  })

  it('are followed by honest requests until they are answered as before', async () => {
    const times = [2, 50, 1000, 2]
    const { parts, log } = fakeParts({ ask: () => sleep(5, answers(times.shift() ?? 2)) })
    const { abused } = await new Stretches(parts, PLAN).pair(0)
    assert.equal(log.filter(line => line === 'ask 500').length, 2)
    assert.ok(Number(abused.recoveryMs) > 0, String(abused.recoveryMs))
  })

  it('know of no recovery where too few were asked to say what is usual', async () => {
    const { parts, log } = fakeParts({ ask: async () => answers(2, 3) })
    const { abused } = await new Stretches(parts, PLAN).pair(0)
    assert.equal(abused.recoveryMs, null)
    assert.ok(!log.includes('ask 500'))
  })

  it('end where nobody is served without abuse, with what was answered instead', async () => {
    const { parts, log } = fakeParts({
      ask: async () => answers(Infinity, 2, { E_UNAVAILABLE: 1, TIMEOUT: 1 })
    })
    await assert.rejects(new Stretches(parts, PLAN).pair(0), {
      name: 'AbuseError',
      code: 'HONEST_NOT_SERVED',
      message: 'no honest client was served without abuse: E_UNAVAILABLE, TIMEOUT'
    })
    assert.ok(!log.includes('begin'))
  })

  it('end where the abuse ended by itself, or cannot be ended', async () => {
    const ended = fakeParts({ endAbuse: async () => ({ notSent: 0, failure: 'no more ports' }) })
    await assert.rejects(new Stretches(ended.parts, PLAN).pair(1), {
      name: 'AbuseError',
      code: 'ABUSE_FAILED',
      message: 'the abuse ended by itself: no more ports'
    })
    const hung = fakeParts({ endAbuse: () => Promise.reject(new Error('it hangs')) })
    await assert.rejects(new Stretches(hung.parts, PLAN).pair(1), /it hangs/)
  })
})
