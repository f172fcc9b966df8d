import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { qaSentences } from '../../../../src/studies/qa/view/qa-sentences.js'
import { aGossipPoint } from '../../../scenarios/gossip/saturation/a-gossip-point.js'
import { times } from '../../../scenarios/rendezvous/saturation/load-point.js'
import { aQaDocument, aTrial } from '../a-qa-document.js'

/** @param {Parameters<typeof aQaDocument>[0]} [parts] */
const said = parts => qaSentences(aQaDocument(parts)).join('\n')

/** @param {string} scenario @param {any[]} points @param {any} [steady] - those of the examined cell @returns {any} */
const ofPoints = (scenario, points, steady = null) => {
  const document = aQaDocument({ scenario, steady: steady && aTrial(25, {}, { point: steady }) })
  return {
    ...document,
    examined: { ...document.examined, trials: points.map(point => aTrial(50, {}, { point })) }
  }
}

describe('what a quality report came to', () => {
  test('is what was carried, what lies beyond, the examined cell, the steady run and who came and went', () => {
    const text = said()
    assert.match(
      text,
      /^At \(r=100, c=1\) 50\.0 % of what was due was achieved, with a p50 of 18\.0 ms: 10\.0 times that of \(r=50, c=1\), 1\.80 ms\.$/m
    )
    assert.match(text, /^\(r=50, c=1\) was run 3 times: p50 1\.78 to 1\.82 ms; /m)
    assert.match(text, /^No operations that were due waited at the end of a second\.$/m)
    assert.match(
      text,
      /^Half of it, 25.*, held for 1 min 0 s: .*; none failed\. p50 is 0\.750 × that of the first run/m
    )
    assert.match(text, /^With 20 that stay and 10 of which one is replaced every 4\.0 s: all were seen\.$/m)
    assert.match(text, /^Meanwhile what was carried in a second did not change\.$/m)
  })

  test('says that times beyond the diagonal hardly rose', () => {
    const cells = [aTrial(50, { rt: times(2) }), aTrial(100, { achieved: 300, rt: times(3) })]
    assert.match(said({ grid: { cells } }), /2\.70 ms: no more than twice that of/)
  })

  test('marks times that the load generator had a part in, and says of which only a least is known', () => {
    const doubtful = times(2, { doubtful: true })
    const p50 = { ms: 100, censored: true, doubtful: true }
    const cells = [aTrial(50, { rt: doubtful }), aTrial(100, { achieved: 300, rt: { ...doubtful, p50 } })]
    assert.match(
      said({ grid: { cells } }),
      /with a p50 of > 100\* ms: at least 55\.6 times that of \(r=50, c=1\), 1\.80\* ms\.$/m
    )
    const trials = [aTrial(50, { rt: doubtful }), aTrial(50, { rt: { ...doubtful, p50 } })]
    assert.match(
      said({ examined: { trials } }),
      /was run 2 times: p50 at least 1\.80 to 100\* ms; p99 4\.00\* ms;/
    )
  })

  test('says which cause a marked time has', () => {
    const p50 = { ms: 1.8, censored: false, doubtful: true, cause: /** @type {const} */ ('machine') }
    const trials = [aTrial(50, { rt: { ...times(2), p50, p99: { ...p50, ms: 4 } } })]
    assert.match(said({ examined: { trials } }), /p50 1\.80\*m ms; p99 4\.00\*m ms;/)
  })

  test('says nothing of times beyond where there are none, or nothing lies there', () => {
    const none = { ...times(3), p50: null }
    const cells = [aTrial(50, { rt: none }), aTrial(100, { achieved: 300, rt: times(3) })]
    for (const grid of [{ cells }, { cells: cells.slice(0, 1) }])
      assert.doesNotMatch(said({ grid }), /^At \(/m)
  })

  test('names cells that did not come to their end, and why if that is known', () => {
    const reason = { code: 'DIED', message: 'the server died' }
    const cells = [aTrial(50, null, { reason }), aTrial(100, null)]
    const text = said({ grid: { cells } })
    assert.match(text, /^\(r=50, c=1\) did not come to its end: the server died\.$/m)
    assert.match(text, /^\(r=100, c=1\) did not come to its end: no result\.$/m)
  })

  test('says that the examined cell is the one of the baseline', () => {
    assert.match(
      said({ examined: { wanted: { ratePerSecond: 50, size: 1 } } }),
      /the one that the baseline examined, was run 3 times/
    )
    assert.doesNotMatch(said({ examined: { wanted: { ratePerSecond: 100, size: 1 } } }), /baseline/)
  })

  test('leaves out what was not run', () => {
    const text = said({
      examined: { cell: null, trials: [] },
      steady: null,
      rotation: { came: null }
    })
    assert.doesNotMatch(text, /was run|Half of it|With 20|Meanwhile/)
    assert.match(
      said({ rotation: { why: 'it takes agents' } }),
      /^Nothing came and went: it takes agents\.$/m
    )
  })
})

describe('the backlog of the examined cell', () => {
  /** @param {number[]} waiting */
  const after = waiting => said({ examined: { trials: [aTrial(50, { waiting })] } })

  test('is said with the most that waited, and whether it grew', () => {
    assert.match(after([0, 3, 2, 3, 2, 2]), /^At most 3 operations .*; the backlog did not grow\.$/m)
    assert.match(
      after([50, 100, 150, 200, 250, 300]),
      /^At most 300 operations .*; the backlog grew in 1 run\.$/m
    )
    assert.match(
      after([3, 2]),
      /^At most 3 operations that were due had not ended at the end of a second\.$/m
    )
  })

  test('of a gossip network is what was missing', () => {
    const words = (/** @type {number[]} */ missing) =>
      qaSentences(
        ofPoints(
          'gossip',
          missing.map(count => aGossipPoint({ missing: count }))
        )
      ).join('\n')
    assert.match(words([0, 0]), /^No delivery was missing\.$/m)
    assert.match(words([0, 1234]), /^Up to 1,234 deliveries were missing in a run\.$/m)
  })
})

describe('the machine meanwhile', () => {
  /** @param {number[]} loads @param {(number | null)[]} sockets @param {object} [more] */
  const after = (loads, sockets, more) =>
    said({
      examined: { machine: { a: loads.map((load1, at) => ({ at, load1, sockets: sockets[at] ?? null })) } },
      ...more
    }).match(/^load1 .*$/m)?.[0]

  test('is said with its cores and sockets', () => {
    assert.equal(
      after([1, 1.5], [10, 12]),
      'load1 of the machine was 1.00 to 1.50 meanwhile, within its 2 cores; 10.0 to 12.0 TCP sockets were in use.'
    )
    assert.equal(after([1, 3], []), 'load1 of the machine was 1.00 to 3.00 meanwhile, above its 2 cores.')
    assert.equal(after([1], [], { on: null }), 'load1 of the machine was 1.00 meanwhile.')
  })

  test('is not where nothing was read', () => assert.equal(after([], []), undefined))
})

describe('the steady run', () => {
  test('says how many failed, or were missing', () => {
    assert.match(said({ steady: aTrial(25, { failed: 1500 }) }), /; 1,500 failed\./)
    const point = aGossipPoint({ missing: 3 })
    assert.match(qaSentences(ofPoints('gossip', [point], point)).join('\n'), /^Half of it, .*; 3 missing\.$/m)
  })

  test('is not held against the first run where one of them has no p50', () => {
    const none = { ...times(1), p50: null }
    assert.match(said({ steady: aTrial(25, { rt: none }) }), /; none failed\.$/m)
    assert.match(said({ examined: { trials: [] } }), /; none failed\.$/m)
  })
})
