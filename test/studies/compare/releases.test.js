import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { describeReleases } from '../../../src/studies/compare/releases.js'
import { sampleResult, time } from '../../report/sample-result.js'
import { columnIn, summaryOf, tableIn } from '../described-summary.js'
import { aLoad, aRelease } from './a-release.js'

describe('studies that tried loads are described', () => {
  test('with a row for each load, what came of it on each side, and the change of p50', () => {
    const slower = [aLoad({ p50: time(3) }), aLoad({ perSecond: 300, beyond: true, throughput: 210 })]
    const description = describeReleases([aRelease(), aRelease({ label: 'results/two', loads: slower })])
    summaryOf(description)
    assert.deepEqual(columnIn(description, 'loads', 'Offered /s'), [100, 200, 300])
    assert.deepEqual(columnIn(description, 'loads', 'Change % B'), [50, null, null])
    assert.deepEqual(columnIn(description, 'loads', 'Not sustained'), [null, null, 'B'])
    assert.deepEqual(columnIn(description, 'sides', 'Study'), ['results/one', 'results/two'])
    assert.equal(description.headline, 'A: It kept up with every load; B: It kept up with every load.')
    assert.deepEqual(
      description.plots.map(({ id, main = false }) => [id, main]),
      [
        ['loads-p99', true],
        ['loads-p50', false]
      ]
    )
  })

  test('the middle one of several trials of a load stands for them', () => {
    const loads = [9, 2, 5].map(ms => aLoad({ p50: time(ms) }))
    assert.deepEqual(columnIn(describeReleases([aRelease({ loads }), aRelease()]), 'loads', 'p50 ms A'), [
      5,
      null
    ])
  })

  test('with knees, churn, and what was carried since the start', () => {
    const loads = [1, 2, 3, 4, 5, 6, 7, 8].map(i =>
      aLoad({ perSecond: 100 * i, load: 100 * i, p50: time(i <= 4 ? i : 4 + 20 * (i - 4)) })
    )
    const rotationSlope = { at: 30, before: 100, after: 50 }
    const release = aRelease({
      ...{ loads, rotationSlope, rotationCame: '59 peers came and went', rotationSeconds: 60 },
      runs: { examined: sampleResult(), rotation: null }
    })
    const description = describeReleases([release, aRelease()])
    summaryOf(description)
    assert.deepEqual(tableIn(description, 'knees').rows.length, 1)
    assert.deepEqual(tableIn(description, 'churn').rows, [['A', '59 peers came and went', 30, 100, 50, 60]])
  })
})
