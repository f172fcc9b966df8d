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
  const actual = problems?.map(({ flag }) => flag)
  assert.deepEqual(actual, [
    ...['load.yaml: topics', 'load.yaml: config', 'load.yaml: sneeze', '--nodes', '--rate', '--nosuch'],
    ...['--publishers', '--D']
  ])
})

test('what fits together is no problem', () => {
  for (const options of [
    { D: '3', D_low: '2', D_out: '1' },
    { D: '14', D_high: '14' },
    { D: '0', D_low: '0', D_high: '0', D_out: '0' },
    { mcache_len: '2', mcache_gossip: '2' },
    { ...EVERY, interval: '5ms', loadModel: 'closed' },
    { topicScoreParams: { 'topic-0': { topicWeight: 1 } } },
    {
      topics: 'blocks=1,votes.0=1',
      threshold: 'votes.*.latency.p99 < 1s; blocks.delivery.p75 < 1s, abortOnFail, grace=2s'
    }
  ])
    assert.deepEqual(problemsOf(options), [], JSON.stringify(options))
})
