import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makePlanOf } from '../../scenarios.js'

/** @param {Record<string, unknown>} options */
const problemsOf = options => makePlanOf('gossip', options, { cores: 4 }).problems ?? []

const EVERY = Object.freeze({ publishers: 'every', duration: '3s' })

test('every problem is named at once, those of a configuration file too', () => {
  const { problems } = makePlanOf(
    'gossip',
    { nodes: '0', rate: 'fast', nosuch: '1', publishers: 'every', D: '3' },
    { config: { file: 'load.yaml', options: { topics: 'foo', config: 'x', sneeze: 1 } } }
  )
  assert.deepEqual(
    problems?.map(({ flag }) => flag),
    [
      'load.yaml: topics',
      'load.yaml: config',
      'load.yaml: sneeze',
      '--nodes',
      '--rate',
      '--nosuch',
      '--publishers',
      '--D'
    ]
  )
})

test('what fits together is no problem', () => {
  for (const options of [
    { D: '3', D_low: '2', D_out: '1' },
    { D: '14', D_high: '14' },
    { D: '0', D_low: '0', D_high: '0', D_out: '0' },
    { mcache_len: '2', mcache_gossip: '2' },
    { ...EVERY, interval: '5ms', loadModel: 'closed' },
    { topicScoreParams: { 'topic-0': { topicWeight: 1 } } }
  ])
    assert.deepEqual(problemsOf(options), [], JSON.stringify(options))
})

test('a threshold on a topic, class or zone that there is not is refused with those that there are', () => {
  const refusal = (/** @type {string} */ threshold) =>
    problemsOf({ topics: 'blocks=1,votes.0=1', threshold })
      .map(({ flag, allowed }) => `${flag} ${allowed}`)
      .join()
  assert.match(
    refusal('blcks.delivery.p99 < 1s'),
    /--threshold asks for the topic blcks, .*; did you mean blocks\? There are: blocks, votes\.0/
  )
  assert.match(refusal('vots.*.latency.p99 < 1s'), /the topic vots\.\*, which the network does not have/)
  assert.match(
    refusal('latency.p99 < 1s, class=home'),
    /the class home, .* A network file says which there are/
  )
  assert.match(refusal('latency.p99 < 1s, zone=eu'), /the zone eu/)
  assert.equal(refusal('votes.*.latency.p99 < 1s; blocks.delivery.p75 < 1s, abortOnFail, grace=2s'), '')
})
