import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MAX_POINTS, Timeline } from '../../../../src/scenarios/gossip/measure/delivery-tracker.js'

const START_US = 5e6
const SECOND_US = 1e6

describe('the timeline of a network', () => {
  it('has latencies in the second of their publication, from the start of publishing', () => {
    const timeline = new Timeline(START_US)
    timeline.latency(7.5e6, 2.4e6)
    timeline.latency(5e6, 0)
    timeline.latency(7e6, 0)
    const { perSecond, secondsPerPoint } = timeline.result()
    const actual = perSecond.flatMap(({ second, histogram }) => [second, histogram.length])
    assert.deepEqual([actual, secondsPerPoint], [[0, 1, 2, 2], 1])
  })

  it('takes no more room in a longer run: its points become longer, and nothing is lost', () => {
    const timeline = new Timeline(START_US)
    const seconds = 3 * MAX_POINTS
    for (let second = 0; second < seconds; second++) {
      const atUs = START_US + second * SECOND_US
      timeline.add('planned', atUs)
      timeline.add('delivered', atUs + 1000)
      timeline.latency(atUs, 1000)
    }
    const { timeline: points, perSecond, secondsPerPoint } = timeline.result()
    assert.deepEqual([secondsPerPoint, points.length], [4, seconds / 4])
    assert.deepEqual(points[1], { second: 4, planned: 4, published: 0, delivered: 4 })
    const actual = perSecond.map(({ second, histogram }) => [second, histogram[0][1]])
    assert.deepEqual(
      actual,
      points.map(({ second }) => [second, 4])
    )
  })
})
