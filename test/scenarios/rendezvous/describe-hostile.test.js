import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hostilePlots, hostileTables, hostileWords } from '../../../src/scenarios/rendezvous/describe.js'
import { scenarioNamed } from '../../scenarios.js'

/** @param {object} [more] */
const stretch = (more = {}) => ({
  ...{ count: 1000, failed: 0, failures: {}, p50Ms: 2, p99Ms: 4, censored: { p50: false, p99: false } },
  ...{ longestTurnMs: 5, rssBytes: 100e6, cpuPercent: 10 },
  ...more
})

/** @param {string | null} setAside @param {boolean} hostileFirst */
const pair = (setAside, hostileFirst) => ({
  ...{ hostileFirst, stealPercent: 0, setAside, quiet: stretch() },
  hostile: stretch({
    ...{ failed: 3, failures: { TIMEOUT: 3 }, p99Ms: 5000, censored: { p50: false, p99: true } },
    ...{ notSent: 0.2, recoveryMs: 750, recovered: false }
  })
})

const ratio = { quietMs: 2, hostileMs: 6, ratio: 3, low: 2.5, high: 3.5, atLeast: true }
const HOSTILE = {
  ...{ spreads: true, priority: 'SCHED_IDLE', unfinished: 1, left: { heap: 1.25, external: 2 } },
  pairs: [pair(null, false), pair('STOLEN', true), pair('NOT_CALM', false)],
  ...{ p50: ratio, p99: ratio, count: { quiet: 1000, hostile: 1000 }, failed: { quiet: 0, hostile: 3 } },
  longestTurnMs: { quiet: 5, hostile: 44 },
  rssBytes: { quiet: 100e6, hostile: 140e6 },
  cpuPercent: { quiet: 10, hostile: 20 },
  ...{ recoveryMs: 750, recovered: false, notSent: 0.2 }
}

/** @param {any} [hostile] @returns {any} */
const resultWith = (hostile = HOSTILE) => ({
  plan: { hostile: { frames: 2 }, hostileEveryMs: 10_000 },
  outcome: { hostile }
})

/** @param {string} id @returns {any} */
const tableOf = id => hostileTables(resultWith()).find(table => table.id === id)

describe('a run with hostile peers', () => {
  it('has a row of quiet and one of hostile stretches, with lower bounds', () => {
    const { columns, rows, note } = tableOf('hostile-peers')
    const cells = (/** @type {number} */ row) =>
      Object.fromEntries(
        columns.map((/** @type {[string]} */ [heading], /** @type {number} */ i) => [heading, rows[row][i]])
      )
    assert.deepEqual([cells(0).p99, cells(0)['× p99']], [2, null])
    assert.deepEqual(cells(1)['× p99'], { atLeast: 3 })
    assert.deepEqual(cells(1)['Recovery ms'], { atLeast: 750 })
    assert.equal(cells(1)['Heap left %'], 125)
    assert.match(
      note,
      /^frames=2: 3 pairs of stretches; 1 set aside: .* busy.*; 1 set aside: other guests.*1 not over/
    )
  })

  it('has each stretch in the order it was measured in, and why a pair was set aside', () => {
    const { rows } = tableOf('stretches')
    assert.deepEqual(
      rows.map((/** @type {any[]} */ row) => row[1]),
      ['quiet', 'hostile', 'hostile', 'quiet', 'quiet', 'hostile']
    )
    assert.match(rows[2].at(-1), /other guests/)
    assert.match(rows[1][4], /TIMEOUT/)
  })

  it('ends its headline with how much longer operations took', () => {
    assert.equal(
      hostileWords(resultWith()),
      ' Beside hostile peers p99 was at least 6.00 ms, without them 2.00 ms (2.50 to 3.50 times as long, 95 % interval).'
    )
    assert.equal(hostilePlots(resultWith()).length, 1)
  })

  it('without any has no table and no plot', () => {
    const result = /** @type {any} */ ({ plan: {}, outcome: {} })
    assert.deepEqual([hostileTables(result), hostilePlots(result), hostileWords(result)], [[], [], ''])
  })
})

describe('the figures of hostile peers', () => {
  /** @param {string} name @param {any} [outcome] */
  const read = (name, outcome = { hostile: HOSTILE }) =>
    /** @type {any} */ (scenarioNamed('rendezvous').figures.find(figure => figure.name === name)).read(
      outcome
    )

  it('are those of all pairs that count', () => {
    const names = [
      'ratio.p99',
      'ratio.p99.high',
      'errors',
      'recovery',
      'longestTurn',
      'memory.added',
      'heap.left'
    ]
    assert.deepEqual(
      names.map(name => read(`hostile.${name}`).value),
      [3, 3.5, 3, 750, 44, 40, 125]
    )
    for (const name of ['ratio.p99', 'recovery']) assert.ok(read(`hostile.${name}`).atLeast)
  })

  it('are not known without them, or where the server does not say', () => {
    assert.equal(read('hostile.errors', {}).value, null)
    const unknown = { hostile: { ...HOSTILE, left: null, longestTurnMs: { quiet: null, hostile: null } } }
    for (const name of ['heap.left', 'longestTurn'])
      assert.equal(read(`hostile.${name}`, unknown).value, null)
  })
})
