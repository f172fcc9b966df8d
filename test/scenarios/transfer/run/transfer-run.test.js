import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { describeWarning, failsStrict } from '../../../../src/report/warnings.js'
import { TransferProcesses } from '../../../../src/scenarios/transfer/run/transfer-processes.js'
import { runTransfer } from '../../../../src/scenarios/transfer/run/transfer-run.js'
import { validPlanOf } from '../../../scenarios.js'

const TARGET = '/ip4/127.0.0.1/tcp/4001/p2p/12D3KooWGDL7oNHzMG3KQAUhxFs1MzX8PoZLuh99JGs6NqwScPWt'
const WAY = 'libp2p-3 noise yamux'

/** @param {Record<string, unknown>} options */
const planned = options => validPlanOf('perf', { target: TARGET, repeats: 1, ...options })

/** A machine that holds the client, which answers as it is told to. @param {Record<string, (asked: any) => unknown>} [answers] */
function fakeFleet(answers = {}) {
  /** @type {any[]} */
  const started = []
  /** @type {string[]} */
  const ended = []
  /** @type {Record<string, any>} */
  const met = {}
  const all = {
    meet: (/** @type {object} */ ways) => void Object.assign(met, ways),
    open: () => {},
    settings: () => ({}),
    move: (/** @type {any} */ { bytes }) => ({
      ...{ bytes, totalMs: 100, firstByteMs: 5, steadyBytesPerSecond: null },
      ...{ cpuMicros: 2000, rssBytes: 5e6 }
    }),
    shut: () => {},
    exchanges: (/** @type {any} */ { count }) => Array(count).fill({ openMs: 1, exchangeMs: 2 }),
    ...answers
  }
  const held = {
    call: async (/** @type {keyof typeof all} */ method, /** @type {any} */ asked) => all[method](asked),
    pid: null,
    stop: async () => ended.push('stop'),
    kill: async () => ended.push('kill')
  }
  const fleet = /** @type {any} */ ({
    ...{ address: '127.0.0.1', peers: [] },
    ...{ watch: () => {}, settle: async () => {}, agents: () => [], starts: () => [], series: () => [] },
    start: async (/** @type {number} */ at, /** @type {any} */ options) => {
      started.push({ at, ...options })
      return held
    }
  })
  return { fleet, started, ended, met }
}

/** @param {any} plan @param {ReturnType<typeof fakeFleet>} held */
async function resultOf(plan, { fleet }) {
  let last
  for await (const record of runTransfer(plan, { id: 'run', signal: new AbortController().signal, fleet }))
    last = record
  return /** @type {any} */ (last).result
}

describe('a run against a server of others, with its client on another machine', () => {
  it('knows what the client counted, and nothing of the server', async () => {
    const held = fakeFleet()
    const { status, outcome } = await resultOf(
      planned({ measures: 'upload,latency', streams: '1', exchanges: 3 }),
      held
    )
    assert.equal(status, 'complete')
    const [{ way, bytes, bytesPerSecond, clientCpuMs, serverCpuMs, serverRssBytes, steadyBytesPerSecond }] =
      outcome.transfers
    assert.equal(way, WAY)
    assert.equal(bytesPerSecond, 10 * bytes)
    assert.deepEqual([clientCpuMs, serverCpuMs, serverRssBytes, steadyBytesPerSecond], [2, null, null, null])
    assert.deepEqual([outcome.latency[0].both.count, outcome.latency[0].both.median], [3, 3])
    assert.deepEqual(held.ended, ['stop'])
    const [{ at, setup }] = held.started
    assert.equal(at, 0)
    const actual = Object.entries(held.met).map(([way, { address }]) => [way, address])
    assert.deepEqual(actual, [[WAY, TARGET]])
    // over a bus not every time goes
    assert.equal(setup.maxTimes, 500)
  })

  it('counts what the server used while bytes moved alone, not while streams were opened and closed', async t => {
    /** @type {string[]} */
    const order = []
    const noting = (/** @type {string} */ name) => () => {
      order.push(name)
      return /** @type {any} */ ({})
    }
    for (const name of /** @type {const} */ (['expect', 'count']))
      t.mock.method(TransferProcesses.prototype, name, noting(name))
    const held = fakeFleet({ open: noting('open'), shut: noting('shut') })
    const { status } = await resultOf(planned({ measures: 'download', streams: '1' }), held)
    assert.equal(status, 'complete')
    const once = ['open', 'expect', 'count', 'shut']
    // to warm up, and in the one repeat
    assert.deepEqual(order, [...once, ...once])
  })

  it('fails where other bytes moved than were to move, and says who counted what', async () => {
    const move = () => ({ bytes: 7, totalMs: 1 })
    const held = fakeFleet({ move })
    const { status, reason } = await resultOf(planned({ measures: 'download', size: '1MiB' }), held)
    assert.deepEqual([status, reason.code], ['partial', 'BYTES_DIFFER'])
    assert.equal(
      reason.message,
      `${WAY}, download: 1048576 bytes were to move, the client counted 7, the server is not ours`
    )
    assert.deepEqual(held.ended, ['kill'])
  })

  it('fails where no handshake succeeds, and keeps how many were due', async () => {
    const handshakes = () => ({
      ...{ due: 4, failed: 4, failure: 'refused', completed: 0, times: [[5, 0, false]] },
      ...{ elapsedMs: 10, activeMs: 1, cpuMicros: 1 }
    })
    const { reason, outcome } = await resultOf(planned({ measures: 'handshakes' }), fakeFleet({ handshakes }))
    assert.equal(reason.code, 'HANDSHAKES_FAILED')
    assert.match(reason.message, /no handshake succeeded: refused/)
    const [{ due, failed, perSecond, times, cpuMsEach }] = outcome.handshakes
    assert.deepEqual([due, failed, perSecond, times], [4, 4, null, null])
    assert.deepEqual(cpuMsEach, { client: null, server: null })
  })

  it('is generator-limited where the client was too busy to shake hands when it was due', async () => {
    const handshakes = () => ({
      ...{ due: 3, failed: 0, failure: null, completed: 3, times: Array(3).fill([20, 16, true]) },
      ...{ elapsedMs: 100, activeMs: 95, cpuMicros: 1 }
    })
    const result = await resultOf(planned({ measures: 'handshakes' }), fakeFleet({ handshakes }))
    assert.equal(result.status, 'complete')
    const [{ code, values }, ...others] = result.run.warnings
    assert.deepEqual(
      [
        code,
        values.busy,
        values.overheads.map((/** @type {any} */ { of, share, ms }) => [of, share, ms]),
        others
      ],
      ['GENERATOR_LIMITED', { worker: 0, utilization: 0.95 }, [[`handshakes of ${WAY}`, 0.5, 20]], []]
    )
    assert.equal(failsStrict(result), true)
    const actual = describeWarning(result.run.warnings[0], result)
    assert.match(actual, /95 % busy.* Try fewer --clients or a lower --handshakes rate\.$/)
  })

  it('names the way in what the client fails with, and what cannot be said in a code', async () => {
    const thrown = (/** @type {Error & { code?: unknown }} */ error) => ({
      move: () => {
        throw error
      }
    })
    const reasonOf = async (/** @type {Error & { code?: unknown }} */ error) =>
      (await resultOf(planned({ measures: 'upload' }), fakeFleet(thrown(error)))).reason
    const plain = await reasonOf(new Error('it broke'))
    assert.deepEqual([plain.code, plain.message], ['TRANSFER_BROKEN', `${WAY}, upload: it broke`])
    assert.equal((await reasonOf(Object.assign(new Error('late'), { code: 23 }))).code, 'TIMEOUT')
    const died = await reasonOf(Object.assign(new Error('the client died'), { code: 'WORKER_DIED' }))
    assert.deepEqual([died.code, died.message], ['WORKER_DIED', 'the client died'])
  })
})

describe('what a server has counted', () => {
  it('is looked at until it is whole', async t => {
    const { fleet } = fakeFleet()
    const ends = new TransferProcesses(planned({ targetPid: process.pid }), () => {}, fleet)
    t.after(() => ends.stop({ failed: false }))
    await ends.start()
    await ends.expect(0)
    let looks = 0
    const { rssBytes, receivedBytes } = await ends.count(() => ++looks === 3)
    assert.equal(looks, 3)
    assert.ok(Number(rssBytes) > 1e6)
    assert.equal(receivedBytes, undefined)
  })

  it('is nothing where no process of it is named', async t => {
    const ends = new TransferProcesses(planned({}), () => {}, fakeFleet().fleet)
    t.after(() => ends.stop({ failed: false }))
    await ends.start()
    await ends.expect(0)
    assert.deepEqual(await ends.count(), {})
  })
})
