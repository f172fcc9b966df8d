import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bracketTable, latenessTable } from '../../../src/report/page/lateness.js'
import { latenessPlots } from '../../../src/report/plots/lateness.js'
import { sampleResult } from '../sample-result.js'

const time = (/** @type {number} */ ms, rest = {}) => ({ ms, censored: false, doubtful: false, ...rest })
const spread = {
  count: 400,
  avg: null,
  p50: time(0.1),
  p90: null,
  p95: null,
  p99: null,
  p999: null,
  max: time(4)
}
const point = (/** @type {number} */ atMs) => ({
  ...{ atMs, hiccupMs: 4, pressurePercent: 42, stealPercent: 0 },
  processes: [
    { ownPercent: 58.6, waitedPercent: 24 },
    { ownPercent: null, waitedPercent: null }
  ]
})
const lateness = {
  hiccups: spread,
  pressurePercent: 42,
  stealPercent: null,
  processes: point(0).processes.map((known, i) => ({ name: ['server', 'worker 0'][i], ...known })),
  series: [point(1000), point(2000)]
}
const plain = (/** @type {unknown} */ html) =>
  String(html)
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')

/** @param {object} run */
const resultWith = run => {
  const result = sampleResult()
  return { ...result, run: { ...result.run, ...run } }
}

describe('a page says who could be late', () => {
  it('of each process and of the machine, and what is not known', () => {
    const text = plain(latenessTable(resultWith({ lateness })))
    for (const words of [
      'Server 58.6 24.0',
      'Worker 0 not known not known',
      '42.0 % of the time',
      'took not known %',
      '0.100 / – / 4.00 ms'
    ])
      assert.ok(text.includes(words), `${words}: ${text}`)
  })

  it('over time: a line for each process that is known, and the machine’s hiccups', () => {
    const plots = latenessPlots(resultWith({ lateness }))
    assert.deepEqual(
      plots.map(({ id, legend }) => [id, legend.map(({ label }) => label)]),
      [
        ['core-waits', ['server', 'anything on the machine']],
        ['hiccups', ['longest in a second']]
      ]
    )
  })

  it('not of results from before that was watched', () => {
    assert.deepEqual([latenessTable(resultWith({})), latenessPlots(resultWith({}))], [null, []])
  })
})

describe('a page shows brackets', () => {
  it('from what a percentile would be without what was added, to what was measured with its mark', () => {
    const summary = {
      ...spread,
      p50: time(2.01, { lowMs: 0.936, doubtful: true }),
      p99: time(12, { lowMs: 7.66, doubtful: true, cause: 'machine' })
    }
    const text = plain(bracketTable([['DISCOVER', summary]]))
    assert.match(text, /DISCOVER 0\.936 – 2\.01\* 7\.66 – 12\.0\*m/)
  })

  it('not where none is known', () => {
    assert.equal(bracketTable([['DISCOVER', spread]]), null)
  })
})
