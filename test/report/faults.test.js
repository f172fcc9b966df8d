import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { loadRenderer } from '../../src/kit/plots/render.js'
import { LOOKS } from '../../src/kit/plots/theme.js'
import { faultsCsv } from '../../src/report/csv.js'
import { responseTimeMaps } from '../../src/report/plots/response-time-map.js'
import { withFaults } from '../../src/scenarios/rendezvous/view/plots/fault-marks.js'
import { throughputPlot } from '../../src/scenarios/rendezvous/view/plots/throughput.js'
import { measuredResult } from './measured-result.js'
import { reportPage, resultNotes } from './shown.js'

/** @typedef {import('../../src/result/types.js').FaultResult} FaultResult */

/** @param {Partial<FaultResult>} [parts] @returns {FaultResult} */
const fault = parts => ({
  ...{ kind: 'restart', atMs: 2000, fromMs: 2000.4, toMs: 3500.2, cpus: null, registrationsLost: 1000 },
  ...{
    before: { throughputPerSecond: 59.5, p99Ms: 4.2 },
    recoveredThroughputMs: 499.8,
    recoveredP99Ms: null
  },
  ...{ operationsLost: { REFUSED: 80, LOST: 4 }, reconnects: { dials: 1200, peakPerSecond: 800 } },
  ...parts
})

/** @param {FaultResult[]} faults */
function resultWith(...faults) {
  const result = measuredResult({
    options: { rate: '60/s', duration: '6s', benchmarkType: 'DISCOVER' },
    types: ['DISCOVER']
  })
  return { ...result, outcome: { ...result.outcome, faults } }
}

describe('a fault', () => {
  /** @type {[string, Partial<FaultResult>, RegExp][]} */
  const cases = [
    [
      'that was undone',
      {},
      /^Fault: the server was killed and started again from 2\.0 s to 3\.5 s\. Back: throughput 0\.5 s after, p99 not within the run\. Operations lost: 80 REFUSED, 4 LOST, 1,000 registrations lost, 1,200 dials to connect again \(800 in one second at most\)\.$/
    ],
    [
      'that was not',
      { kind: 'kill', toMs: null, recoveredThroughputMs: null },
      /the server was killed from 2\.0 s on\. Back: throughput not within the run/
    ],
    [
      'that the run did not live to undo',
      { toMs: null },
      /was killed, and not started again, from 2\.0 s on/
    ],
    ['that left some CPU', { kind: 'cpu', cpus: 0.5 }, /the server had 0\.5 cores left from/],
    [
      'that cost nothing',
      {
        kind: 'pause',
        operationsLost: {},
        registrationsLost: null,
        reconnects: { dials: 0, peakPerSecond: 0 }
      },
      /stood still .* Operations lost: none\.$/
    ],
    [
      'that came too soon',
      { before: null, recoveredThroughputMs: null },
      /throughput not known: too short a time before/
    ]
  ]
  for (const [name, parts, words] of cases)
    it(`${name} is told in words`, () =>
      assert.ok(
        resultNotes(resultWith(fault(parts))).some(line => words.test(line)),
        name
      ))

  it('is a row of its table and of its CSV file', async () => {
    const result = resultWith(fault(), fault({ kind: 'pause', fromMs: 5000, toMs: 5500 }))
    const page = await reportPage(result)
    assert.match(page, /<h2>Faults<\/h2>[\s\S]*<th scope="row">The server was killed and started again<\/th>/)
    const [head, first, second] = faultsCsv(result).split('\n')
    assert.equal(head.split(',').length, first.split(',').length)
    assert.match(first, /^restart,2000,2000\.4,3500\.2,,59\.5,4\.2,499\.8,,84,1000,1200,800$/)
    assert.match(second, /^pause,2000,5000,/)
  })

  it('is marked in plots over time, which can be drawn', async () => {
    const render = await loadRenderer()
    const result = resultWith(fault())
    const plain = [...throughputPlot(result), ...responseTimeMaps(result)]
    for (const [i, plot] of withFaults(result, plain).entries()) {
      assert.ok(plot.legend.some(({ label }) => label === 'fault'))
      assert.match(
        plot.description,
        /Marked: the server was killed and started again from 2\.0 s to 3\.5 s\.$/
      )
      const [before, after] = [await render(plain[i].spec, LOOKS.wide), await render(plot.spec, LOOKS.wide)]
      const rects = (/** @type {string} */ svg) => svg.split('fill="var(--failed').length
      assert.ok(rects(after) > rects(before), plot.id)
    }
  })

  it('that nobody asked for leaves plots as they are', () => {
    const result = resultWith()
    const plots = throughputPlot(result)
    assert.equal(withFaults(result, plots), plots)
  })
})
