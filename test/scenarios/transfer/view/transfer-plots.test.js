import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { loadRenderer } from '../../../../src/kit/plots/render.js'
import { LOOKS } from '../../../../src/kit/plots/theme.js'
import { transferAnswer } from '../../../../src/scenarios/transfer/view/page/transfer-answer.js'
import { blockLives } from '../../../../src/scenarios/transfer/view/plots/block-lives.js'
import { bytesOverTime } from '../../../../src/scenarios/transfer/view/plots/bytes-over-time.js'
import { goodputPlot } from '../../../../src/scenarios/transfer/view/plots/goodput-plot.js'
import { requestsWaiting } from '../../../../src/scenarios/transfer/view/plots/requests-waiting.js'
import { secondsBars } from '../../../../src/scenarios/transfer/view/plots/seconds-bars.js'
import { askedIn } from '../../../report/plots/asked-in.js'

const MIB = 1 << 20
const WAYS = ['blocks', 'http', 'libp2p-http', 'stream']
const LINES = [0, 50].flatMap(latencyMs =>
  [null, 10e6].map(bytesPerSecond => ({ latencyMs, bytesPerSecond }))
)

const centre = (/** @type {number} */ median) => ({ median, low: 0.9 * median, high: 1.2 * median })

const CASES = LINES.flatMap((line, at) =>
  WAYS.map((way, place) => ({
    ...line,
    way,
    seconds: centre(0.1 * (at + 1) + 0.05 * place),
    goodput: centre((90e6 - 10e6 * place) / (at + 1) ** 2),
    roundTripMs: 0.4 + 2 * line.latencyMs + 0.02 * place,
    windowBytes: way === 'http' ? null : 16 * MIB
  }))
)

const TRANSFERS = CASES.map(({ way, latencyMs, bytesPerSecond, seconds }) => ({
  way,
  latencyMs,
  bytesPerSecond,
  curve: Array.from(
    { length: 20 },
    (_, i) => /** @type {[number, number]} */ ([50 * i * seconds.median, 50_000 * (i + 1)])
  )
}))

const WAITING = [
  {
    way: 'blocks',
    latencyMs: 50,
    bytesPerSecond: null,
    points: /** @type {[number, number, number][]} */ ([
      [0, 0, 1],
      [3, 4, 6],
      [20, 1, 6],
      [40, 0, 0]
    ])
  }
]

const BLOCKS = Array.from({ length: 500 }, (_, i) => ({
  way: 'blocks',
  latencyMs: 50,
  bytesPerSecond: null,
  queuedMs: i,
  sentMs: 2 * i + 1,
  receivedMs: 2 * i + 52,
  storedMs: i === 499 ? null : 2 * i + 53
}))

/** @param {any} spec @returns {any[][]} of each layer */
const valuesOf = spec => spec.layer.map((/** @type {any} */ layer) => layer.data.values)

describe('seconds by way', () => {
  it('have a panel for each limit, a bar for each way and latency, and its interval', () => {
    const plots = secondsBars(CASES)
    assert.deepEqual(
      plots.map(({ title }) => title),
      ['Seconds by way: no limit', 'Seconds by way: 10 MB/s']
    )
    const [{ spec, legend }] = plots
    assert.deepEqual(
      legend.map(({ label }) => label),
      WAYS
    )
    assert.deepEqual(
      spec.data.values.map((/** @type {any} */ { way, latency }) => `${way}, ${latency}`),
      ['no latency', '50 ms'].flatMap(latency => WAYS.map(way => `${way}, ${latency}`))
    )
    assert.equal(spec.data.values[0].median, CASES[0].seconds.median)
    assert.equal(spec.layer[1].data.values.length, 8)
  })

  it('leave out what never came, and intervals of too few repeats', () => {
    const some = CASES.filter(({ bytesPerSecond }) => bytesPerSecond === null).map((each, i) => ({
      ...each,
      seconds: { median: i === 0 ? null : 1, low: null, high: null }
    }))
    const [{ spec, caption }] = secondsBars(some)
    assert.equal(spec.data.values.length, 7)
    assert.deepEqual(spec.layer[1].data.values, [])
    assert.doesNotMatch(caption, /interval/)
    assert.deepEqual(secondsBars(some.slice(0, 1)), [])
  })
})

describe('goodput over the round trip', () => {
  it('has a point for each way and line, and the model of each line and window', () => {
    const [{ legend, spec }] = goodputPlot(CASES)
    const labels = legend.map(({ label }) => label)
    assert.deepEqual(labels, [
      'window of 16 MiB',
      'line of 10 MB/s, window of 16 MiB',
      'line of 10 MB/s',
      ...WAYS
    ])
    const values = valuesOf(spec)
    assert.equal(values.slice(3).flat().length, CASES.length)
    // 16 MiB ÷ 100 ms
    const at100 = values[0].find(({ roundTripMs }) => roundTripMs >= 99)
    assert.ok(Math.abs((at100.megabytes * at100.roundTripMs) / 1000 - 16.777) < 0.01, JSON.stringify(at100))
    for (const { megabytes } of values[2]) assert.equal(megabytes, 10)
  })

  it('is none where nothing is known', () => {
    assert.deepEqual(goodputPlot([{ ...CASES[0], roundTripMs: null }]), [])
  })
})

describe('bytes over time', () => {
  it('have a panel for each line, a curve for each transfer that has one', () => {
    const plots = bytesOverTime([...TRANSFERS, { way: 'http', latencyMs: 0, bytesPerSecond: null }])
    assert.equal(plots.length, LINES.length)
    assert.equal(plots[0].spec.layer.length, WAYS.length)
    const [[begin, { value }]] = valuesOf(plots[0].spec)
    assert.deepEqual([begin, value], [{ at: 0, value: 0 }, 0.05])
  })
})

describe('lives of blocks', () => {
  it('have a row for each block, and no more than can be told apart', () => {
    const [{ spec, caption, description, marks }] = blockLives(BLOCKS)
    const [queued, underWay, received] = valuesOf(spec)
    assert.deepEqual(queued[1], { block: 4, label: 'queued, not sent yet', from: 3, to: 7 })
    assert.deepEqual(marks?.headings, ['Block', 'it was', 'From, ms', 'To, ms'])
    assert.deepEqual(marks?.rows[1], [4, 'queued, not sent yet', 3, 7])
    assert.deepEqual([queued.length, underWay.length, received.length], [167, 167, 167])
    assert.match(caption, /One of 3 blocks is drawn/)
    assert.match(description, /500 blocks.*after 1,049 ms/)
    assert.doesNotMatch(blockLives(BLOCKS.slice(0, 100))[0].caption, /One of/)
  })
})

describe('requests waiting', () => {
  it('stand beside those in progress', () => {
    const [{ spec, description }] = requestsWaiting([...WAITING, { ...WAITING[0], points: [] }])
    const [waiting, inProgress] = valuesOf(spec)
    assert.deepEqual(waiting[1], { at: 3, value: 4 })
    assert.deepEqual(inProgress[1], { at: 3, value: 6 })
    assert.match(description, /at most 4 requests waited, and 6 requests/)
  })
})

describe('plots of transfers', () => {
  it('can be drawn, each under an id of its own', async () => {
    const plots = [
      ...secondsBars(CASES),
      ...goodputPlot(CASES),
      ...bytesOverTime(TRANSFERS).slice(0, 1),
      ...blockLives(BLOCKS),
      ...requestsWaiting(WAITING)
    ]
    assert.equal(new Set(plots.map(({ id }) => id)).size, plots.length)
    for (const { id } of plots) assert.match(id, /^[\w-]+$/)
    const render = await loadRenderer()
    for (const { spec, marks } of plots) {
      const svg = await render(spec, LOOKS.narrow)
      assert.match(svg, /^<svg/)
      assert.equal(askedIn(svg), marks?.rows.length ?? 0)
    }
  })
})

describe('the first screen of transfers', () => {
  it('has how long each way took in the hardest round', () => {
    const { figures, plots } = transferAnswer(/** @type {any} */ ({ outcome: { cases: CASES } }))
    assert.deepEqual(
      figures.map(([name]) => name),
      WAYS.map(way => `Median, ${way}`)
    )
    assert.match(figures[0][1], /^[\d.]+ s$/)
    assert.equal(plots.length, 1)
    assert.deepEqual(transferAnswer(/** @type {any} */ ({ outcome: { cases: [] } })).figures, [])
  })
})
