import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Meter } from '../../../../src/measure/operations.js'
import { RunFailure } from '../../../../src/run/run.js'
import { Totals } from '../../../../src/scenarios/rendezvous/measurement.js'
import { makeServedCounter, watchReplies } from '../../../../src/scenarios/rendezvous/run/load-phases.js'

/** @typedef {Record<string, number>} Seen - how many operations ended with each outcome in one second */

/** withMadeUpTimers is for a describe: outside of any, hooks would be those of all files in this process. */
function withMadeUpTimers() {
  beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }))
  afterEach(() => mock.timers.reset())
}

/**
 * @param {Seen} [before]
 * @param {() => boolean} [excused]
 * @param {() => Promise<number | null>} [served]
 */
function watching(before = {}, excused = () => false, served = async () => null) {
  const time = { ms: 90_000 }
  const totals = new Totals()
  const meter = new Meter()
  /** @param {Seen} seen */
  const add = seen => {
    for (const [outcome, count] of Object.entries(seen))
      for (let i = 0; i < count; i++) {
        meter.record('rt', 'DISCOVER', outcome, 1000)
        if (outcome === 'OK' || outcome === 'E_UNAVAILABLE') meter.reply('DISCOVER', 100)
      }
    totals.add(meter.take(0))
  }
  add(before)
  const trouble = new RunFailure()
  const watch = watchReplies({ totals, failure: trouble, served, excused, clock: () => time.ms })
  /** A second passes, at the end of which the workers told what they saw. @param {Seen} seen */
  const second = seen => {
    for (let i = 0; i < 4; i++) {
      if (i === 3) add(seen)
      time.ms += 250
      mock.timers.tick(250)
    }
  }
  return { trouble, watch, second }
}

/** @param {number} count @param {Seen} seen @returns {Seen[]} */
const seconds = (count, seen) => Array.from({ length: count }, () => seen)

/** One failure among few operations. @param {Seen} failure @returns {Seen[]} */
const seldom = failure => [{ OK: 1 }, ...seconds(20, {}), failure, {}, { OK: 1 }, ...seconds(5, {})]

describe('a server', () => {
  withMadeUpTimers()

  /** What becomes of a server after such seconds. @param {string} name @param {Seen[]} history @param {string} [code] */
  const ends = (name, history, code) =>
    it(name, () => {
      const { trouble, watch, second } = watching()
      for (const seen of history) second(seen)
      watch.stop()
      assert.equal(trouble.error?.code, code)
    })

  /** @type {Record<string, Seen[]>} */
  const LIVING = {
    'that answers': seconds(60, { OK: 100 }),
    'that answers with errors only': seconds(60, { E_UNAVAILABLE: 100 }),
    'that was asked nothing': seconds(60, {}),
    'that is slow, but within the timeout,': [...seconds(12, {}), { OK: 4 }],
    'that answers now and then while most time out': seconds(20, { TIMEOUT: 50 }).flatMap(timeout => [
      ...[{ TIMEOUT: 50, OK: 1 }, timeout, timeout]
    ]),
    'whose operations time out for less than 3 s': [...seconds(10, {}), ...seconds(3, { TIMEOUT: 4 })],
    'that breaks connections for less than 3 s': seconds(3, { LOST: 10 }),
    'that answers nonsense only': seconds(60, { BAD_REPLY: 100 }),
    'for which no local port is left': seconds(60, { LOCAL_PORTS_EXHAUSTED: 100 }),
    'that recovers within 3 s': [{ OK: 10 }, ...seconds(3, { LOST: 10 }), ...seconds(10, { OK: 10 })],
    'that recovers again and again': seconds(10, { RESET: 9 }).flatMap(reset => [
      reset,
      reset,
      reset,
      { OK: 1 }
    ]),
    'that is asked seldom, at its first failure,': seldom({ LOST: 1 }),
    'that is asked seldom, at its first timeout,': seldom({ TIMEOUT: 1 }),
    'that stalls for less than the timeout, though operations are dropped meanwhile,': [
      ...[{ OK: 500 }, ...seconds(8, { DROPPED: 500 }), { OK: 500 }]
    ]
  }
  for (const [name, history] of Object.entries(LIVING)) ends(`${name} goes on`, history)

  /** @type {Record<string, Seen[]>} */
  const GIVEN_UP = {
    'whose operations time out for more than 3 s': [...seconds(10, {}), ...seconds(5, { TIMEOUT: 4 })],
    'that breaks connections for more than 3 s': seconds(5, { LOST: 10 }),
    'that refuses connections for more than 3 s': [{ LOST: 4 }, ...seconds(4, { REFUSED: 10 })],
    'that breaks connections once and is asked no more': [{ LOST: 1 }, ...seconds(5, {})],
    'that stalls for longer than the timeout, though most operations are dropped,': [
      ...[{ OK: 500 }, ...seconds(10, { DROPPED: 500 }), ...seconds(5, { DROPPED: 500, TIMEOUT: 100 })]
    ]
  }
  for (const [name, history] of Object.entries(GIVEN_UP)) ends(`${name} is given up`, history, 'SERVER_HUNG')

  it('that a fault of the plan explains is not given up, and gets its time after it', () => {
    let fault = true
    const { trouble, watch, second } = watching({}, () => fault)
    for (const seen of seconds(20, { LOST: 10 })) second(seen)
    assert.equal(trouble.error, null)
    fault = false
    for (const seen of seconds(2, { LOST: 10 })) second(seen)
    assert.equal(trouble.error, null)
    for (const seen of seconds(3, { LOST: 10 })) second(seen)
    watch.stop()
    assert.equal(/** @type {any} */ (trouble.error)?.code, 'SERVER_HUNG')
  })

  it('that is given up is told with how long it was silent and what failed', () => {
    const { trouble, watch, second } = watching()
    second({ OK: 5 })
    for (const seen of seconds(5, { LOST: 10 })) second(seen)
    watch.stop()
    assert.match(`${trouble.error?.message}`, /has not answered for 4\.\d s, while \d0 operations failed/)
  })

  /** @type {[string, (second: number) => Promise<number | null>, boolean][]} */
  const saying = [
    [
      'that says to serve requests, though too late for anybody, goes on',
      async second => 100 * second,
      false
    ],
    [
      'that serves some requests every other second goes on',
      async second => Math.floor(second / 2) * 10,
      false
    ],
    ['that says to have served nothing more is hung', async () => 500, true],
    ['that does not say is hung', () => new Promise(() => {}), true],
    ['whose last words were that it had served requests is hung', async second => Math.min(second, 5), true]
  ]
  for (const [name, says, ended] of saying)
    it(name, async () => {
      let passed = 0
      const { trouble, watch, second } = watching({ OK: 5 }, undefined, () => says(passed))
      for (const seen of seconds(15, { TIMEOUT: 40 })) {
        second(seen)
        passed++
        await turn()
      }
      watch.stop()
      assert.equal(trouble.error?.code, ended ? 'SERVER_HUNG' : undefined)
    })

  it('is no longer watched once stopped', () => {
    const { trouble, watch, second } = watching()
    watch.stop()
    for (const seen of seconds(9, { LOST: 10 })) second(seen)
    assert.equal(trouble.error, null)
  })
})

describe('a round', () => {
  withMadeUpTimers()

  /** @type {[string, Seen, Seen[], boolean][]} */
  const cases = [
    ['with a reply is good', {}, [{ LOST: 5, OK: 1 }], false],
    ['without a reply shows that the server is gone', {}, [{ LOST: 5 }], true],
    ['without a reply after rounds with replies shows it too', { OK: 500 }, [{ TIMEOUT: 5 }], true],
    ['without operations says nothing', { OK: 500 }, [{}], false]
  ]
  for (const [name, before, history, ended] of cases)
    it(name, async () => {
      const { trouble, watch, second } = watching(before)
      for (const seen of history) second(seen)
      await watch.check()
      watch.stop()
      assert.equal(trouble.error?.code, ended ? 'SERVER_HUNG' : undefined)
    })

  /** @type {[string, number, boolean][]} */
  const late = [
    ['without a reply in time is good where the server has served requests', 3, false],
    ['without a reply shows that the server is gone where it says to have served none', 0, true]
  ]
  for (const [name, served, ended] of late)
    it(name, async () => {
      const { trouble, watch, second } = watching({}, undefined, async () => served)
      second({ TIMEOUT: 5 })
      await watch.check()
      watch.stop()
      assert.equal(trouble.error?.code, ended ? 'SERVER_HUNG' : undefined)
    })
})

describe('what servers say to have served', () => {
  /** @param {Record<string, number>} counts */
  const control = counts =>
    /** @type {any} */ ({
      durations: async () =>
        Object.fromEntries(Object.entries(counts).map(([type, count]) => [type, { count }]))
    })
  const silent = /** @type {any} */ ({ durations: () => Promise.reject(new Error('it has ended')) })
  const { signal } = new AbortController()
  const member = { name: 'one', multiaddr: null, reading: null, faults: null }

  const members = [control({ REGISTER: 3 }), silent, control({ REGISTER: 2 })].map(control => ({
    ...member,
    control
  }))
  /** @type {[string, Parameters<typeof makeServedCounter>[0], number | null][]} */
  const cases = [
    ['is the sum over operations', { control: control({ REGISTER: 3, DISCOVER: 4 }) }, 7],
    ['is not known of one that is not ours', { control: null }, null],
    ['is not known of one that does not say', { control: silent }, null],
    ['is of those that say it, where there are several', { control: null, members }, 5]
  ]
  for (const [name, target, said] of cases)
    it(name, async () => assert.equal(await makeServedCounter(target)(signal), said))
})
