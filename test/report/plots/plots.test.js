import '../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { logTicks } from '../../../src/kit/plots/axes.js'
import { loadRenderer } from '../../../src/kit/plots/render.js'
import { LOOKS } from '../../../src/kit/plots/theme.js'
import { encodedHistogram } from '../../../src/measure/encoded-histogram.js'
import {
  measuredSeconds,
  measurementBegan,
  timeColumns
} from '../../../src/report/description/measured-time.js'
import { percentilePoints } from '../../../src/report/plots/percentile-points.js'
import {
  heatSteps,
  responseTimeCells,
  responseTimeMaps
} from '../../../src/report/plots/response-time-map.js'
import { failureBars, failuresPlot } from '../../../src/scenarios/rendezvous/view/plots/failures.js'
import {
  percentileCurve,
  percentileLines
} from '../../../src/scenarios/rendezvous/view/plots/percentile-curve.js'
import { serverPlots, serverSamples } from '../../../src/scenarios/rendezvous/view/plots/server-load.js'
import { secondRates, throughputPlot } from '../../../src/scenarios/rendezvous/view/plots/throughput.js'
import { histogramOf } from '../../measure/samples.js'
import { measuredResult } from '../measured-result.js'
import { operation, sampleResult } from '../sample-result.js'
import { askedIn } from './asked-in.js'

/** @typedef {import('../../../src/result/types.js').Result} Result */

const STALLED = measuredResult({
  options: { rate: '120/s', duration: '6s', benchmarkType: 'MIXED' },
  types: ['REGISTER', 'DISCOVER'],
  stallAt: 2
})

/** @param {Result} result */
const plotsOf = result => [
  ...percentileCurve(result),
  ...responseTimeMaps(result),
  ...throughputPlot(result),
  ...serverPlots(result),
  ...failuresPlot(result)
]

/** @param {{ count: number }[]} counted */
const sum = counted => counted.reduce((total, { count }) => total + count, 0)

describe('percentile curve', () => {
  /** @param {Record<string, number[]>} byOutcome µs */
  const points = byOutcome =>
    percentilePoints({
      histograms: Object.fromEntries(
        Object.entries(byOutcome).map(([outcome, values]) => [outcome, encodedHistogram(histogramOf(values))])
      )
    })
  const thousand = Array.from({ length: 1000 }, (_, i) => 1000 * (i + 1))
  /** @param {import('../../../src/report/plots/percentile-points.js').Point[]} curve @param {number} nines */
  const at = (curve, nines) => curve.findLast(point => point.nines <= nines + 1e-9)

  test('has the percentiles of the table', () => {
    const { all } = points({ OK: thousand })
    for (const [nines, ms] of [
      [Math.log10(2), 500],
      [1, 900],
      [2, 990]
    ])
      assert.ok(Math.abs((at(all, nines)?.ms ?? 0) - ms) <= 0.04 * ms, `${nines} nines`)
  })

  test('rises from the fastest to the slowest', () => {
    const { all } = points({ OK: thousand })
    assert.equal(all[0].ms, 1)
    assert.ok(Math.abs(all[all.length - 1].ms - 1000) <= 1)
    assert.ok(all.every((point, i) => i === 0 || point.ms >= all[i - 1].ms))
  })

  test('what fewer than ten operations exceed is left to chance', () => {
    const { all } = points({ OK: thousand })
    assert.ok(all.every(({ nines, chance }) => chance === nines > 2 + 1e-9))
  })

  test('successes alone are a line only where others were not', () => {
    assert.deepEqual(points({ OK: thousand }).ok, [])
    assert.deepEqual(points({ TIMEOUT: thousand }).ok, [])
    assert.ok(points({ OK: thousand, E_UNAVAILABLE: [5] }).ok.length > 2)
  })

  test('is a lower bound where operations without a reply reach in', () => {
    const { all } = points({ OK: thousand, TIMEOUT: Array.from({ length: 111 }, () => 2_000_000) })
    assert.equal(at(all, 0.5)?.bound, false)
    assert.equal(at(all, 1.2)?.bound, true)
    assert.equal(
      points({ OK: thousand, E_UNAVAILABLE: [9e6] }).all.some(({ bound }) => bound),
      false
    )
  })

  test('nothing measured is no line', () => {
    assert.deepEqual(points({}), { all: [], ok: [] })
    assert.deepEqual(percentileCurve(sampleResult({ outcome: { operations: {} } })), [])
  })

  test('parts of a line that look different meet', () => {
    const lines = percentileLines(STALLED).filter(({ type, line }) => type === 'DISCOVER' && line !== 'ok')
    for (const [i, point] of lines.entries()) {
      const before = lines[i - 1]
      if (before === undefined || (before.line === point.line && before.chance === point.chance)) continue
      assert.ok(lines.some(other => other !== point && other.nines === point.nines && other.ms === point.ms))
    }
    assert.deepEqual([...new Set(lines.map(({ line }) => line))].sort(), ['all', 'at least'])
  })
})

describe('response times over time', () => {
  test('every operation is in a cell or a dot', () => {
    for (const type of /** @type {const} */ (['REGISTER', 'DISCOVER'])) {
      const { cells, dots } = responseTimeCells(STALLED, type)
      assert.equal(sum(cells) + sum(dots), STALLED.outcome.operations[type]?.count)
    }
  })

  test('an outlier is a dot at its own time, however few there are', () => {
    /** @type {[number, number][]} */
    const histogram = [
      [1000, 500],
      [1008, 400],
      [250_000, 1]
    ]
    const result = sampleResult({
      outcome: { perSecond: [{ second: 1, type: 'REGISTER', outcome: 'OK', histogram }] }
    })
    const { cells, dots } = responseTimeCells(result, 'REGISTER')
    assert.deepEqual(dots, [{ at: 1.5, ms: 250, count: 1, failed: false }])
    assert.deepEqual(
      cells.map(({ count }) => count),
      [900]
    )
    assert.ok(cells.every(({ leastMs, mostMs }) => leastMs <= 1 && mostMs > 1.008))
  })

  test('what failed is marked apart', () => {
    const failed = responseTimeCells(STALLED, 'DISCOVER').dots.filter(dot => dot.failed)
    assert.equal(sum(failed), STALLED.outcome.operations.DISCOVER?.outcomes.TIMEOUT)
  })

  test('there is a map for each type that was measured over time', () => {
    assert.deepEqual(
      responseTimeMaps(STALLED).map(({ id }) => id),
      ['times-register', 'times-discover']
    )
    assert.deepEqual(responseTimeMaps(sampleResult()), [])
  })

  for (const [most, steps] of /** @type {[number, number[]][]} */ ([
    [1, [1]],
    [9, [1, 3]],
    [400, [1, 3, 10, 30, 100, 300]],
    [5000, [1, 30, 100, 300, 1000, 3000]]
  ]))
    test(`shades for up to ${most} in a cell`, () => assert.deepEqual(heatSteps(most), steps))
})

describe('time', () => {
  /** @param {number} ms */
  const lasting = ms => sampleResult({ outcome: { measuredMs: ms } })

  for (const [ms, count, last] of [
    [6000, 6, { from: 5, to: 6 }],
    [12_020, 12, { from: 11, to: 12.02 }],
    [12_700, 13, { from: 12, to: 12.7 }],
    [300, 1, { from: 0, to: 0.3 }],
    [3_600_000, 60, { from: 3540, to: 3600 }]
  ])
    test(`${ms} ms are ${count} columns`, () => {
      const columns = timeColumns(lasting(Number(ms)))
      assert.equal(columns.count, count)
      assert.deepEqual(columns.stretch(columns.count - 1), last)
      assert.equal(columns.of(1e6), columns.count - 1)
    })

  test('columns hold whole points, so that none has more than the others', () => {
    const { outcome, ...result } = lasting(3_600_000)
    const columns = timeColumns({ ...result, outcome: { ...outcome, secondsPerPoint: 8 } })
    assert.deepEqual([columns.count, columns.stretch(0)], [56, { from: 0, to: 64 }])
    const points = Array(columns.count).fill(0)
    for (let second = 0; second < 3600; second += 8) points[columns.of(second)]++
    assert.deepEqual(new Set(points.slice(0, -1)), new Set([8]))
  })

  test('before its end it is what the seconds tell', () => {
    const outcome = { ...STALLED.outcome, measuredMs: 0 }
    assert.equal(measuredSeconds({ ...STALLED, outcome }), 6)
    assert.equal(measuredSeconds({ ...STALLED, outcome: { ...outcome, secondsPerPoint: 4 } }), 9)
  })

  test('a first sample that is that of several begins as much earlier', () => {
    const long = structuredClone(STALLED)
    const server = long.outcome.server
    assert.ok(server)
    server.series = server.series.filter((_, i) => i % 4 === 3)
    assert.equal(measurementBegan(long), 2000)
  })

  test('samples of the server begin with the load, whatever was prepared before it', () => {
    assert.equal(measurementBegan(STALLED), 2000)
    const late = structuredClone(STALLED)
    for (const sample of late.outcome.server?.series ?? []) sample.atMs += 20_000
    assert.equal(measurementBegan(late), 22_000)
    assert.equal(serverSamples(late)[0].at, 0.25)
  })
})

describe('throughput', () => {
  test('is that of each second and type; a stall is 0, failures are a line', () => {
    const rates = secondRates(STALLED)
    /** @param {string} series @param {number} from */
    const at = (series, from) => rates.find(rate => rate.series === series && rate.from === from)?.perSecond
    assert.equal(at('DISCOVER', 0), 60)
    assert.equal(at('DISCOVER', 2), 0)
    assert.equal(at('without success', 4), 18)
    assert.equal(
      rates.reduce((total, { from, to, perSecond }) => total + perSecond * (to - from), 0),
      720
    )
  })

  test('the rate that was asked for is drawn', () => {
    const [plot] = throughputPlot(STALLED)
    assert.ok(plot.legend.some(({ label }) => label === 'due, of all types'))
    assert.equal(plot.spec.layer.at(-1).data.values[0].rate, 120)
  })

  test('without figures over time there is none', () => assert.deepEqual(throughputPlot(sampleResult()), []))
})

describe('server', () => {
  test('no figures, no plot', () => {
    assert.deepEqual(serverPlots(sampleResult({ outcome: { server: null } })), [])
    assert.deepEqual(serverPlots(sampleResult()), [])
  })

  test('many samples are joined, the highest of them is kept', () => {
    const { server } = STALLED.outcome
    assert.ok(server !== null)
    const series = Array.from({ length: 10_000 }, (_, i) => ({
      atMs: 2000 + i,
      cpuPercent: i === 777 ? 99 : 5,
      rssBytes: 1e6
    }))
    const samples = serverSamples({
      ...STALLED,
      outcome: { ...STALLED.outcome, server: { ...server, series } }
    })
    assert.ok(samples.length <= 400)
    assert.equal(
      samples.reduce((most, { cpu }) => Math.max(most, cpu ?? 0), 0),
      99
    )
  })
})

describe('failures', () => {
  test('are counted by time and outcome', () =>
    assert.deepEqual(failureBars(STALLED), [{ from: 4, to: 5, outcome: 'TIMEOUT', count: 18 }]))

  test('none, no plot', () => assert.deepEqual(failuresPlot(measuredResult()), []))

  test('many kinds are put together', () => {
    const perSecond = Array.from({ length: 9 }, (_, i) => ({
      second: 0,
      type: /** @type {const} */ ('REGISTER'),
      outcome: `E_${i}`,
      histogram: /** @type {[number, number][]} */ ([[1000, i + 1]])
    }))
    const [{ legend }] = failuresPlot(sampleResult({ outcome: { perSecond } }))
    assert.deepEqual(
      legend.map(({ label }) => label),
      ['E_8', 'E_7', 'E_6', 'E_5', 'E_4', 'others']
    )
  })
})

describe('every plot', async () => {
  const render = await loadRenderer()
  const fewOperations = sampleResult({
    outcome: {
      operations: {
        REGISTER: operation({ count: 1, histograms: { OK: encodedHistogram(histogramOf([700])) } })
      },
      perSecond: [{ second: 0, type: 'REGISTER', outcome: 'OK', histogram: [[700, 1]] }]
    }
  })
  const results = { STALLED, fewOperations }
  for (const [name, result] of Object.entries(results))
    for (const plot of plotsOf(result))
      test(`${name} ${plot.id} is drawn in both sizes, with units, texts and colours of the theme`, async () => {
        for (const look of Object.values(LOOKS)) {
          const svg = await render(plot.spec, look)
          assert.match(svg, new RegExp(`viewBox="0 0 ${look.width} ${look.height}"`))
          assert.doesNotMatch(svg, /NaN|Infinity|undefined| id="/)
          assert.equal(askedIn(svg), plot.marks?.rows.length ?? 0)
          assert.match(svg, />(Response time, ms|Operations( per second)?|CPU, % of one core|Memory, MB)</)
          assert.match(svg, />(Time since the measurement began, s|Operations that took no longer, %)</)
          for (const [, paint] of svg.matchAll(/(?:fill|stroke)="([^"]*)"/g))
            assert.match(paint, /^(none|transparent|var\(--[a-z]+(-\d)?, #[0-9a-f]{6}\))$/)
        }
        assert.ok(plot.title.length > 5 && plot.description.length > 20 && plot.caption.length > 5)
      })
})

for (const [least, most, ticks] of /** @type {[number, number, number[]][]} */ ([
  [0.5, 12, [0.5, 1, 2, 5, 10]],
  [0.09, 3000, [0.1, 1, 10, 100, 1000]],
  [3, 4, [3, 4]],
  [2.2, 2.6, [2.2, 2.3, 2.4, 2.5, 2.6]]
]))
  test(`numbers on an axis from ${least} to ${most}`, () => assert.deepEqual(logTicks(least, most), ticks))
