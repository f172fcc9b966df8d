import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it, mock, test } from 'node:test'
import { AgentLink, AgentLostError, ClockEstimate } from '../../src/agents/agent-link.js'
import { MessageAssembler, splitMessage } from '../../src/agents/bus/message-parts.js'
import { AGENT_ENTRIES } from '../../src/agents/messages.js'
import { makeSubStream } from '../../src/kit/random.js'

/**
 * Exchanges with a clock whose offset and drift are known, over a link whose two ways take times of their own: most little, some much.
 *
 * @param {() => number} random
 * @param {{ atNs: number, count: number, offsetNs: number, driftPpm?: number, busy?: boolean }} how
 */
function burst(random, { atNs, count, offsetNs, driftPpm = 0, busy = false }) {
  let now = atNs
  const theirs = (/** @type {number} */ ns) => BigInt(Math.round(ns + offsetNs + (ns * driftPpm) / 1e6))
  const way = () =>
    60e3 - 40e3 * Math.log(1 - random()) + (random() < (busy ? 0.4 : 0.05) ? random() * 20e6 : 0)
  return Array.from({ length: count }, () => {
    const sent = now
    const read = sent + way()
    now = read + way()
    return { sentNs: BigInt(Math.round(sent)), theirNs: theirs(read), backNs: BigInt(Math.round(now)) }
  })
}

const MS = 1e6
/** @param {readonly import('../../src/agents/agent-link.js').ClockExchange[]} exchanges */
const leastTripMs = exchanges =>
  Math.min(...exchanges.map(({ sentNs, backNs }) => Number(backNs - sentNs))) / MS

describe('an estimated clock', () => {
  for (const busy of [false, true])
    it(`is off by no more than it says, which is little, ${busy ? 'with busy machines' : 'quiet'}`, () => {
      const random = makeSubStream(3, 'clock', String(busy))
      let within = 0
      for (let i = 0; i < 200; i++) {
        const offsetMs = (random() - 0.5) * 4e5
        const exchanges = burst(random, { atNs: i * 1e9, count: 50, offsetNs: offsetMs * MS, busy })
        const clock = new ClockEstimate()
        clock.add(exchanges)
        const told = clock.getOffset()
        assert.ok(told !== null)
        assert.ok(told.errorMs <= leastTripMs(exchanges) / 2 + 0.5, `${told.errorMs}`)
        assert.equal(told.driftPpm, null)
        if (Math.abs(told.offsetMs - offsetMs) <= told.errorMs) within++
      }
      assert.ok(within >= 198, `${within} of 200`)
    })

  for (const driftPpm of [100, -100, 0])
    it(`finds a drift of ${driftPpm} ppm in 60 s, and the offset at each moment`, () => {
      const random = makeSubStream(4, 'drift', driftPpm)
      const clock = new ClockEstimate()
      const offsetNs = 200 * MS
      for (let s = 0; s <= 60; s++)
        clock.add(burst(random, { atNs: s * 1e9, count: s % 60 === 0 ? 50 : 5, offsetNs, driftPpm }))
      const told = clock.getOffset(BigInt(30e9))
      assert.ok(told?.driftPpm != null && Math.abs(told.driftPpm - driftPpm) <= 20, `${told?.driftPpm}`)
      for (const s of [0, 13.5, 30, 59]) {
        const truthNs = offsetNs + s * 1e9 * (driftPpm / 1e6)
        const { offsetMs = 0, errorMs = 0 } = clock.getOffset(BigInt(s * 1e9)) ?? {}
        assert.ok(
          Math.abs(offsetMs - truthNs / MS) <= errorMs,
          `${offsetMs} ± ${errorMs} for ${truthNs / MS}`
        )
      }
    })

  it('turns times of one clock into those of the other, and back', () => {
    const clock = new ClockEstimate()
    const ns = 5n * 10n ** 18n
    clock.add([{ sentNs: ns, theirNs: 123n + 100n, backNs: ns + 200n }])
    assert.equal(clock.there(ns + 100n), 223n)
    assert.equal(clock.here(223n), ns + 100n)
  })

  it('is not known where nothing was answered', () => {
    const clock = new ClockEstimate()
    clock.add([])
    assert.equal(clock.getOffset(), null)
  })
})

/** @param {any} value @param {string} [id] */
const packed = (value, id = 'a') =>
  splitMessage(value, id).map(({ payload, headers }) => ({ data: payload, headers }))

/**
 * @param {(asked: any) => any} answer - throws for one that does not come
 * @param {{ closed?: boolean } & Record<string, any>} [of] - `closed`: nothing is asked again
 */
function linked(answer = () => ({}), { closed = false, ...of } = {}) {
  /** @type {any[]} */
  const asked = []
  const connection = {
    isClosed: () => closed,
    /** @param {string} subject @param {Uint8Array | undefined} data @param {any} options */
    async request(subject, data, { headers }) {
      if (data === undefined) return answer({ subject })
      const value = new MessageAssembler().add({ data, headers })?.value
      asked.push({ subject, ...value })
      return packed(answer(value))[0]
    }
  }
  const card = /** @type {any} */ ({ id: 'a1', host: 'box' })
  const link = new AgentLink(card, { connection: /** @type {any} */ (connection), run: 'r', ...of })
  /** @param {any} value */
  const tell = value => packed(value).forEach(part => void link.onMessage(part))
  return { link, asked, tell }
}

/** @param {Partial<Parameters<AgentLink['start']>[1]>} [options] */
const options = options =>
  /** @type {Parameters<AgentLink['start']>[1]} */ ({
    entry: AGENT_ENTRIES['gossip-nodes'],
    name: 'worker',
    setup: { some: 'thing' },
    handlers: {},
    onDied() {},
    ...options
  })

/** @param {ReturnType<typeof linked>} linked @param {Parameters<typeof options>[0]} [of] */
async function started({ link, asked, tell }, of) {
  const starting = link.start(4, options(of))
  tell({ kind: 'result', id: asked.at(-1).id })
  return starting
}

describe('an agent that is asked', () => {
  test('gives its answer', async () => {
    const { link, asked } = linked(({ n }) => ({ twice: n * 2 }))
    assert.deepEqual(await link.ask({ kind: 'double', n: 21 }), { twice: 42 })
    assert.deepEqual(asked, [{ subject: 'loadtest.agent.a1', run: 'r', kind: 'double', n: 21 }])
  })

  test('says what it has against it, with its code', async () => {
    const { link } = linked(() => ({ error: { message: 'it is busy', code: 'NOT_ADMITTED' } }))
    await assert.rejects(link.ask({ kind: 'lease' }), {
      message: 'it is busy',
      code: 'NOT_ADMITTED',
      answered: true
    })
  })

  test('is asked again, under the same id, what a bus that was away has lost', async () => {
    const ids = new Set()
    let lost = 2
    const connection = {
      isClosed: () => false,
      /** @param {string} _ @param {Uint8Array} data @param {any} options */
      async request(_, data, { headers }) {
        ids.add(new MessageAssembler().add({ data, headers })?.id)
        if (lost-- > 0) throw new Error('no responders')
        return packed({ done: true })[0]
      }
    }
    const card = /** @type {any} */ ({ id: 'a1', host: 'box' })
    const link = new AgentLink(card, { connection: /** @type {any} */ (connection), run: 'r' })
    assert.deepEqual(await link.ask({ kind: 'lease' }), { done: true })
    assert.deepEqual([lost, ids.size], [-1, 1])
  })

  test('and never answers is said not to', async () => {
    const { link } = linked(() => {
      throw new Error('no responders')
    })
    await assert.rejects(link.ask({ kind: 'lease' }, 100), { message: 'it does not answer' })
  })

  test('is not believed what no agent tells', async () => {
    const it = linked()
    /** @type {any[]} */
    const heard = []
    await started(it, { handlers: { interval: (...args) => heard.push(args) } })
    const told = (/** @type {any} */ value) => it.link.onMessage(packed(value)[0])
    for (const odd of [
      null,
      [],
      { kind: 'else' },
      { kind: 'called', worker: 4, method: 'interval' },
      { kind: 'called', worker: 'four', method: 'interval', args: [] },
      { kind: 'result', id: 'one' },
      { kind: 'result', id: 0, error: 'no object' }
    ])
      await assert.rejects(told(odd), /not a message of libp2p-loadtest/, JSON.stringify(odd))
    await assert.rejects(
      it.link.onMessage({ data: Buffer.from('garbage') }),
      /not a message of libp2p-loadtest/
    )
    await told({ kind: 'called', worker: 4, method: 'toString', args: [] })
    assert.deepEqual(heard, [])
  })

  test('starts a worker by the name of its program, and has it do things', async () => {
    const it = linked()
    const worker = await started(it, { handlers: { interval() {} } })
    const { entry, setup, calls, kind } = it.asked[0]
    assert.deepEqual([kind, entry, setup, calls], ['start', 'gossip-nodes', { some: 'thing' }, ['interval']])
    assert.deepEqual(it.link.workers, [4])
    const called = worker.call('connect', 1, 'two')
    const { method, args, id } = it.asked[1]
    assert.deepEqual([method, args], ['connect', [1, 'two']])
    it.tell({ kind: 'result', id, result: 'connected' })
    assert.equal(await called, 'connected')
    const failing = worker.call('connect')
    it.tell({ kind: 'result', id: it.asked[2].id, error: { message: 'no peer', code: 'NO_PEER' } })
    await assert.rejects(failing, { message: 'no peer', code: 'NO_PEER' })
  })

  test('is told which worker began how late; its first is how late the agent is', async () => {
    /** @type {any[]} */
    const began = []
    const it = linked(undefined, { onBegan: (/** @type {any[]} */ ...args) => began.push(args) })
    const worker = await started(it)
    worker.began?.(1.5)
    worker.began?.(9)
    assert.deepEqual(
      [it.link.lateMs, began],
      [
        1.5,
        [
          [4, 1.5],
          [4, 9]
        ]
      ]
    )
  })

  test('calls back, and says what died by itself', async () => {
    const it = linked()
    /** @type {any[]} */
    const heard = []
    await started(it, {
      handlers: { interval: (...args) => heard.push(args) },
      onDied: error => void heard.push([error.message, error.code])
    })
    it.tell({ kind: 'called', worker: 4, method: 'interval', args: [1, 2] })
    it.tell({ kind: 'died', worker: 4, message: 'ended with exit code 1' })
    it.tell({ kind: 'died', worker: 5, message: 'is none of ours' })
    assert.deepEqual(heard, [
      [1, 2],
      ['agent a1 (box): ended with exit code 1', 'WORKER_DIED']
    ])
  })

  for (const kind of /** @type {const} */ (['stop', 'kill']))
    test(`to ${kind} a worker tells of no death, and ends even if it cannot be reached`, async () => {
      const it = linked(asked => {
        return asked.kind === kind ? { error: { message: 'no such run' } } : {}
      })
      let deaths = 0
      const worker = await started(it, { onDied: () => void deaths++ })
      await worker[kind]()
      it.tell({ kind: 'died', worker: 4, message: `was asked to ${kind}` })
      assert.deepEqual([it.asked.at(-1).kind, deaths], [kind, 0])
    })

  test('is reported silent when it does not answer, after heartbeats would have told', async t => {
    const silent = mock.fn()
    const it = linked(
      () => {
        throw new Error('timeout')
      },
      { onSilent: silent, closed: true }
    )
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const starting = it.link.start(4, options())
    starting.catch(() => {})
    await new Promise(setImmediate)
    assert.equal(silent.mock.callCount(), 0)
    t.mock.timers.tick(4000)
    assert.equal(silent.mock.callCount(), 1)
    it.link.lose('it does not answer')
    await assert.rejects(starting, { code: 'AGENT_LOST' })
  })
})

describe('the clock of an agent', () => {
  test('is known by the exchanges that were answered', async () => {
    const { link } = linked(() => {
      const there = String(process.hrtime.bigint() + 5_000_000_000n)
      return { string: () => there }
    })
    assert.equal(link.clock.getOffset(), null)
    await link.measureClock(3)
    const { offsetMs = 0, errorMs = 0 } = link.clock.getOffset() ?? {}
    assert.ok(Math.abs(offsetMs - 5000) <= errorMs, `${offsetMs} ± ${errorMs} ms`)
  })

  test('is asked for no more once there is no answer', async () => {
    let times = 0
    const { link } = linked(() => {
      times++
      throw new Error('timeout')
    })
    await link.measureClock(10)
    assert.equal(times, 1)
  })
})

describe('an agent that is lost', () => {
  test('fails what waits for it, and what is asked afterwards, with the reason', async () => {
    const it = linked()
    const worker = await started(it)
    const waiting = worker.call('connect')
    const error = it.link.lose('nothing was heard of it')
    assert.ok(error instanceof AgentLostError)
    assert.equal(error.message, 'agent a1 (box) is lost: nothing was heard of it')
    await assert.rejects(waiting, error)
    const before = it.asked.length
    await assert.rejects(worker.call('connect'), error)
    assert.equal(it.asked.length, before)
  })

  test('is lost once: the first reason and moment hold', () => {
    const { link } = linked()
    const first = link.lose('it was ended')
    const { lostNs } = link
    assert.equal(link.lose('the bus is gone'), first)
    assert.equal(link.lostNs, lostNs)
  })

  test('says nothing more of workers that died with it', async () => {
    const it = linked()
    let deaths = 0
    await started(it, { onDied: () => void deaths++ })
    it.link.lose('it was ended')
    it.tell({ kind: 'died', worker: 4, message: 'ended' })
    assert.equal(deaths, 0)
  })
})
