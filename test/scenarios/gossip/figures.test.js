import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { GOSSIP_FIGURES, summarizeHops } from '../../../src/scenarios/gossip/figures.js'
import { judge, LiveThresholds, readThreshold } from '../../scenarios.js'
import { aGossipResult, nothingPublished } from './a-gossip-result.js'

const { outcome: SOUND } = aGossipResult({ options: { nodes: '10', messages: '200' } })
const { outcome: BROKEN } = aGossipResult({ options: { nodes: '10', messages: '200' }, gone: [3, 4] })
const { outcome: NOTHING } = nothingPublished()
const { outcome: FEW } = aGossipResult({ options: { nodes: '10', messages: '5' } })

/** @param {string} text */
function thresholdOf(text) {
  const read = readThreshold(text, 'gossip')
  assert.ok('value' in read, JSON.stringify(read))
  return read.value
}

/** @param {string} text @param {object} outcome */
const judged = (text, outcome) => judge(thresholdOf(text), outcome, /** @type {any} */ (GOSSIP_FIGURES))

/** @type {[string, object, string, boolean, RegExp?][]} */
const CASES = [
  ['all arrived', SOUND, 'deliveryRatio >= 100%', true],
  ['all arrived, in messages', SOUND, 'completeRatio >= 100%', true],
  ['something is missing', BROKEN, 'deliveryRatio >= 100%', false],
  ['something is missing, within what is allowed', BROKEN, 'deliveryRatio >= 50%', true],
  ['the ratio is a percentage', BROKEN, 'deliveryRatio > 1%', true],
  ['messages were published', SOUND, 'published >= 200', true],
  ['too few were', SOUND, 'published > 200', false],
  ['none was skipped', SOUND, 'skipped <= 0', true],
  ['duplicates', SOUND, 'duplicatesPerDelivery < 4', true],
  ['CPU, in ms', SOUND, 'cpuPerDelivery < 1.3ms', true],
  ['CPU, above', SOUND, 'cpuPerDelivery < 1200us', false],
  ['latency', SOUND, 'latency.p99 < 1min', true],
  ['dissemination', SOUND, 'dissemination.p90 < 1min', true],
  ['letters in any case', SOUND, 'Dissemination.P90 < 1min', true],
  [
    'a percentile with too few messages',
    SOUND,
    'dissemination.p99 < 1min',
    false,
    /^too few samples: 200, and 1,000 are needed$/
  ],
  [
    'a percentile that missing messages reach into',
    BROKEN,
    'dissemination.p90 < 1min',
    false,
    /^at least this: messages that did not arrive reach into it$/
  ],
  ['the maximum of what did not all arrive', BROKEN, 'latency.max < 1min', false, /^at least this/],
  ['a lower bound where some is missing', BROKEN, 'latency.max > 1us', true, /^at least this/],
  ['nothing published: no ratio', NOTHING, 'deliveryRatio >= 100%', false, /^nothing was to be delivered$/],
  ['nothing published: no time', NOTHING, 'latency.p50 < 1s', false, /^nothing was published$/],
  ['nothing delivered: no cost', NOTHING, 'cpuPerDelivery < 1s', false, /^nothing was delivered$/],
  ['nothing published, and none asked for', NOTHING, 'published <= 0', true]
]

describe('a threshold of the gossip scenario', () => {
  for (const [what, outcome, text, passed, reason] of CASES)
    test(`${what}: ${text} is ${passed ? 'met' : 'not met'}`, () => {
      const result = judged(text, outcome)
      assert.equal(result.passed, passed, JSON.stringify(result))
      if (reason === undefined) assert.equal(result.reason, undefined)
      else assert.match(String(result.reason), reason)
    })

  test('gives the figure of the result, in its unit', () => {
    assert.equal(judged('latency.p50 < 1s', SOUND).actual, SOUND.latency.all.p50?.ms)
    assert.equal(judged('completeRatio < 1%', BROKEN).actual, 100 * Number(BROKEN.delivery.completeRatio))
  })
})

describe('while a run goes on', () => {
  /** @param {string} text @param {object} outcome */
  const broken = (text, outcome) => {
    const live = new LiveThresholds(
      [thresholdOf(`${text}, abortOnFail`)],
      /** @type {any} */ (GOSSIP_FIGURES)
    )
    return live.look(/** @type {any} */ (outcome), 1000).brokeOff !== null
  }

  test('a ratio of few messages breaks nothing off', () => {
    assert.equal(broken('duplicatesPerDelivery < 0.1', FEW), false)
    assert.equal(broken('duplicatesPerDelivery < 0.1', SOUND), true)
  })

  test('what can only grow breaks nothing off from below', () =>
    assert.equal(broken('published > 1000', SOUND), false))
})

test('every figure says something of a sound run, or how many more messages it needs', () => {
  for (const { name, read } of GOSSIP_FIGURES) {
    const { value, missing } = read(SOUND)
    if (name.startsWith('router')) assert.equal(missing, 'there was no router between network namespaces')
    else if (name.startsWith('node.')) assert.equal(missing, 'nodes shared processes or containers')
    else if (name.endsWith('.overhead'))
      assert.match(String(missing), /^(its client overhead was not measured|too few samples: )/, name)
    else if (value === null) assert.match(String(missing), /^too few samples: /, name)
    else assert.ok(Number.isFinite(value), name)
  }
})

test('hops have an average, a maximum and a standard deviation, or none', () => {
  assert.deepEqual(summarizeHops([0, 1, 2, 1, 0]), { avg: 2, max: 3, sd: Math.sqrt(0.5) })
  assert.equal(summarizeHops([0, 0]), null)
})
