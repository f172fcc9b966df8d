import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { makePlan, runPlan } from '../../src/index.js'
import { runGossip, small } from './gossip-run.js'
import { PAIRS, TIMEOUT } from './loadtest.js'

/** @typedef {import('../../src/scenarios/gossip/gossip-types.js').GossipResult} GossipResult */

/** Validation takes each node longer than a message may, and only so many are seen to at a time: what is carried is small. */
const SLOW = ['--topology', 'line', '--rate', 'auto', '--autoDuration', '1s']

describe('the rate that is carried is found', PAIRS, () => {
  test('none, where every message takes longer than it may', TIMEOUT, async () => {
    const { code, stdout, stderr, result, folder } = await runGossip([
      ...small(4, 1),
      ...SLOW,
      ...['--validationDelay', '600ms', '--autoFrom', '2/s']
    ])
    assert.equal(code, 0, stderr)
    const { carriedRate, messages } = result.outcome
    assert.ok(carriedRate !== null)
    assert.deepEqual([carriedRate.perSecond, carriedRate.lowestNotCarried], [null, 2])
    assert.deepEqual(
      carriedRate.trials.map(({ carried, repeats, reasons }) => [carried, repeats, reasons[0].why]),
      [[false, 1, 'slow']]
    )
    assert.equal(messages.published, 2, 'the figures are those of the trial')
    assert.match(stdout, /Carried: no rate; 2\.00 not: dissemination p99 \d,\d{3} ms\b/)
    assert.match(stdout, /⚠ Not even 2\.00 messages\/s/)
    assert.match(await readFile(join(folder, 'report.html'), 'utf8'), /Rates that were tried/)
  })

  // with a process of its own, Ctrl-C ends gossip runs in gossip-traces.test.js
  test(
    'a rate is tried three times on the network as it stands, and who breaks it off keeps what was carried',
    TIMEOUT,
    async () => {
      const { status, reason, outcome } = await brokenOffAt(8)
      assert.deepEqual([status, reason?.code], ['partial', 'INTERRUPTED'])
      const { carriedRate, messages, delivery, anomalies } = outcome
      assert.ok(carriedRate !== null && carriedRate.perSecond !== null)
      const [first, ...others] = carriedRate.trials
      assert.deepEqual(first, { perSecond: 2, carried: true, repeats: 3, reasons: [] })
      assert.deepEqual(
        others.map(({ perSecond }) => perSecond),
        others.map((_, place) => 2 ** (place + 2)),
        'doubled'
      )
      assert.ok(others.at(-1)?.carried === false && others.length >= 2, 'the last one was broken off')
      const { perSecond } = carriedRate
      assert.deepEqual([messages.planned, messages.published, delivery.ratio], [perSecond, perSecond, 1])
      assert.deepEqual(
        Object.values(anomalies).filter(count => count > 0),
        []
      )
    }
  )
})

/** A run that is broken off when such a rate is tried. @param {number} perSecond @returns {Promise<GossipResult>} */
async function brokenOffAt(perSecond) {
  const { plan, problems } = await makePlan('gossip', {
    ...{ nodes: 4, workers: 1, topology: 'line', linkLatency: '0', messageBytes: 100 },
    ...{ heartbeat_interval: '200ms', rate: 'auto', autoDuration: '1s', autoFrom: '2/s' }
  })
  assert.equal(problems, undefined)
  const breaking = new AbortController()
  for await (const record of runPlan(plan, { id: 'broken-off', signal: breaking.signal })) {
    if (record.type === 'progress' && record.phase === 'publish' && Number(record.ratePerSecond) >= perSecond)
      breaking.abort()
    if (record.type === 'result') return /** @type {any} */ (record.result)
  }
  throw new Error('the run ended without a result')
}
