import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RunFailure } from '../../../../src/run/run.js'
import { RunLog } from '../../../../src/run/run-header.js'
import { watchPublishing } from '../../../../src/scenarios/gossip/run/gossip-run.js'
import { intervalOf, measuring } from '../../../run/gossip-interval.js'
import { gossipPlanned } from '../gossip-planned.js'

/**
 * @param {import('node:test').TestContext} t
 * @param {Record<string, unknown>} options
 * @param {'publish' | 'cooldown'} phase
 */
function watching(t, options, phase) {
  t.mock.timers.enable({ apis: ['setInterval'] })
  /** @type {any[]} */
  const records = []
  const failure = new RunFailure()
  const measurement = measuring()
  let partials = 0
  let nowMs = 0
  const watch = watchPublishing(
    {
      phase,
      plan: gossipPlanned({ nodes: '3', topology: 'line', ...options }),
      log: new RunLog(record => records.push(record)),
      failure,
      measurement,
      emitPartial: () => void partials++
    },
    () => nowMs
  )
  t.after(() => watch.stop())
  const second = (/** @type {Parameters<typeof intervalOf>[0]} */ parts) => {
    nowMs += 1000
    measurement.add(intervalOf({ atMs: nowMs, ...parts }), 0)
    t.mock.timers.tick(1000)
  }
  const last = (/** @type {string} */ type) => records.findLast(record => record.type === type)
  return { second, last, failure, watch, partials: () => partials, records }
}

/** @param {number} count @param {number} from - number of the first */
const published = (count, from) =>
  Array.from({ length: count }, (_, i) => ({ message: from + i, node: 0, atMs: from + i }))

/** @param {number} message */
const everywhere = message => [
  { message, node: 1, from: 0, atMs: message + 5 },
  { message, node: 2, from: 1, atMs: message + 9 }
]

test('tells every second what was published and delivered, and once in five gives out the result so far', t => {
  const { second, last, partials } = watching(t, { messages: '100' }, 'publish')
  second({ published: published(25, 0), received: everywhere(0) })
  const { figures, utilizations } = last('interval')
  const actual = [figures.messages.published, figures.delivery.expected, figures.delivery.delivered]
  assert.deepEqual([actual, utilizations], [[25, 50, 2], [0.4]])
  const { phase, done, total, unit } = last('progress')
  assert.deepEqual([phase, done, total, unit, partials()], ['publish', 25, 60, 'messages', 0])
  for (let i = 0; i < 4; i++) second({})
  assert.equal(partials(), 1)
})

test('tells the time where a duration was asked for, and deliveries while it waits for them', t => {
  const { second, last } = watching(t, { duration: '2s' }, 'publish')
  for (let i = 0; i < 3; i++) second({})
  assert.deepEqual([last('progress').done, last('progress').total, last('progress').unit], [2000, 2000, 'ms'])
})

test('tells deliveries while they are waited for', t => {
  const { second, last } = watching(t, {}, 'cooldown')
  second({ published: published(2, 0), received: everywhere(1) })
  const { phase, done, total, unit } = last('progress')
  assert.deepEqual([phase, done, total, unit], ['cooldown', 2, 4, 'deliveries'])
})

/** @param {RunFailure} failure */
const codeOf = failure => failure.error?.code

test('a threshold that has failed for its grace time ends the run', t => {
  const { second, failure, last, watch, records } = watching(
    t,
    { threshold: ['skipped < 5, abortOnFail, grace=2s', 'published > 1000'] },
    'publish'
  )
  second({ published: published(30, 0).map(row => ({ ...row, recipients: -1 })) })
  second({ published: published(30, 30) })
  assert.equal(codeOf(failure), undefined)
  const actual = last('interval').thresholds.map((/** @type {any} */ { text, passed }) => [text, passed])
  assert.deepEqual(actual, [['skipped < 5', false]])
  second({})
  assert.equal(codeOf(failure), 'THRESHOLD_FAILED')
  watch.stop()
  const before = records.length
  second({})
  assert.equal(records.length, before)
})
