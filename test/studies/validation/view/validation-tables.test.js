import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { judgeFigures } from '../../../../src/studies/validation/result/judge-measures.js'
import {
  conditionTable,
  conditionTitle,
  counterSentences,
  measureTable,
  measureTitle,
  moreRuns
} from '../../../../src/studies/validation/view/validation-tables.js'

const REAL = Array.from({ length: 10 }, (_, i) => 2 + i / 100)
const judged = judgeFigures(
  { name: 'p50', real: REAL, simulated: REAL.map((x, i) => x * (1 + (i % 3) / 1000)) },
  0.05
)

describe('the measures of a validation', () => {
  test('have medians with the least and the most, the ratio with its interval, and the verdict', () => {
    const [[name, real, , ratio, interval, margin, verdict]] = measureTable([judged]).rows
    assert.deepEqual(
      [name, real, margin, verdict],
      ['p50 of latency, in L', '2.04 (2.00–2.09)', '± 5.0 %', '✓ agrees']
    )
    assert.match(`${ratio} ${interval}`, /^1\.001 1\.00\d … 1\.00\d$/)
    assert.equal(measureTitle('p50'), name)
  })

  test('have no range where all runs are alike, and dashes where nothing can be told', () => {
    const bare = {
      ...judged,
      real: [2, 2],
      simulated: [3],
      ratio: null,
      interval: null,
      verdict: /** @type {const} */ ('undecided')
    }
    const [[, real, simulated, ...rest]] = measureTable([{ ...bare, more: null }]).rows
    assert.deepEqual([real, simulated], ['2.00', '3.00'])
    assert.deepEqual(rest, ['–', '–', '± 5.0 %', 'undecided: no thousand runs would decide it'])
    assert.equal(measureTable([{ ...judged, verdict: 'differs' }]).rows[0].at(-1), '✗ differs')
  })

  test('say how many more runs would decide them', () => {
    assert.equal(moreRuns({ more: 1 }), '1 more run needed')
    assert.equal(moreRuns({ more: 7 }), '7 more runs needed')
  })
})

test('a wrong simulation is noticed, or nothing is shown', () => {
  const [slow, lossy] = counterSentences([
    { what: 'latency', verdict: 'differs' },
    { what: 'loss', verdict: 'agrees' }
  ])
  assert.match(slow, /links are 10 % slower differs, as it should\.$/)
  assert.match(lossy, /loses twice as much is not noticed, so that nothing here is shown\.$/)
})

describe('the conditions of a comparison', () => {
  /** @type {[import('../../../../src/studies/validation/result/conditions.js').Condition, string[]][]} */
  const cases = [
    [
      { name: 'links', figure: 3, limit: 5, met: true },
      ['CPU time of a delivery', '3.00 ms', 'at most L / 20: 5.00 ms', '✓']
    ],
    [
      { name: 'hops', figure: -1, limit: 5, met: true },
      ['What a hop takes beyond its link', '0 ms', 'at most L / 20: 5.00 ms', '✓']
    ],
    [
      { name: 'delivered', figure: 0.985, limit: 1, met: false },
      ['Delivered, at least', '98.5 %', '100 %', '✗ no: see why in the reports of the runs']
    ],
    [
      { name: 'load', figure: 30, limit: 25, met: false },
      [
        'CPU of the busiest process',
        '30.0 %',
        'at most 25 %: a quarter of what it carries',
        '✗ no: lower --rate'
      ]
    ],
    [
      { name: 'mesh', figure: 2, limit: 0, met: false },
      ['Runs without a formed mesh', '2', '0', '✗ no: raise --warmupTimeout']
    ],
    [
      { name: 'machine', figure: null, limit: 0, met: false },
      [
        'Doubtful runs',
        '–',
        '0',
        '✗ no: see why in their reports; raise --linkLatency, or leave the machine to it'
      ]
    ]
  ]
  for (const [condition, row] of cases)
    test(`${condition.name} of ${condition.figure} has a row that says what must be`, () => {
      assert.deepEqual(conditionTable([condition]).rows, [row])
      assert.equal(conditionTitle(condition.name), row[0])
    })
})
