import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { findLimit } from '../../../src/measure/limited-by.js'
import { chooseTrialsToDescribe, describeSaturation } from '../../../src/studies/saturate/describe.js'
import { findMissedConditions } from '../../../src/studies/saturate/objective.js'
import { planGrid } from '../../../src/studies/saturate/plan.js'
import { SATURATION_DOCUMENT } from '../../../src/studies/saturate/saturation-document.js'
import { isAsRecorded } from '../../recorded.js'
import { aGossipPoint } from '../../scenarios/gossip/a-gossip-point.js'
import { times } from '../../scenarios/rendezvous/load-point.js'
import { columnIn, summaryOf, tableIn } from '../described-summary.js'
import { aTrial } from '../qa/a-qa-document.js'

/** @param {string} path - of a stored saturation @returns {Promise<any>} */
const stored = path =>
  SATURATION_DOCUMENT.read(fileURLToPath(new URL(`../../../fixtures/${path}`, import.meta.url)))

/** @param {Record<string, unknown>} parts @returns {any} */
const documentWith = parts => ({
  ...{ schemaVersion: 1, id: 'x', status: 'complete', reason: null, startedAt: '2026-11-20T07:12:00.000Z' },
  ...{ finishedAt: null, scenario: 'rendezvous', options: {}, objective: null, seconds: 6 },
  ...{ grid: null, search: null },
  ...parts
})

const CELLS = [
  aTrial(50, { rt: times(2) }),
  aTrial(100, { achieved: 300, rt: times(20), serverCpuPercent: 97 }),
  aTrial(200, null, { reason: { code: 'X', message: 'the server ended' } })
]

const GRID = documentWith({
  grid: {
    ...{ rates: [50, 100, 200], connections: [1] },
    ...{ cells: CELLS, chosen: { ratePerSecond: 50, connections: 1 } }
  }
})

/** @param {boolean} simulated */
function gossipGrid(simulated) {
  const options = simulated ? { network: 'simulated' } : {}
  const { grid } = planGrid('gossip', { rate: [5, 10], nodes: [20], duration: 6 }, options)
  const model = simulated ? { upBandwidth: { average: 0.8, busiest: 0.95 } } : null
  const beyond = aGossipPoint({
    ...{ simulated, model, missing: 4, achieved: 50, utilization: 0.97 },
    limitedBy: findLimit({
      ...(simulated ? { link: 80, linkIsFull: true } : { generator: { percent: 97 } }),
      achieved: 83
    })
  })
  const points = [aGossipPoint({ simulated, model }), beyond]
  const reasons = findMissedConditions('gossip', ['achieved >= 99%'], { point: beyond })
  const cells = grid.cells.map((trial, i) => ({
    ...{ ...trial, status: 'complete', point: points[i] },
    ...{ sustained: i === 0, reasons: i === 0 ? [] : reasons }
  }))
  return documentWith({
    ...{ scenario: 'gossip', options },
    grid: { ...grid, cells, chosen: { ratePerSecond: 5, nodes: 20 } }
  })
}

const at = (/** @type {number} */ perSecond, sustained = 0) => ({ perSecond, sustained, repeats: 0 })
const FOUND = { below: at(50), above: at(100), closed: true, estimate: null, generatorBound: false }

/** @param {Record<string, unknown> | null} found @param {Record<string, unknown>} [more] */
const searchWith = (found, more) =>
  documentWith({
    search: {
      ...{ fromPerSecond: 50, mostPerSecond: 1e6, tolerance: 0.05, repeats: 0, blocks: 8 },
      trials: [
        { ...CELLS[0], purpose: 'search', sustained: true, reasons: [] },
        { ...CELLS[1], purpose: 'search' },
        {
          ...{ ...CELLS[2], purpose: 'block', sustained: false },
          reasons: [{ code: 'ENDED', message: 'the server ended' }]
        }
      ],
      found: found && { ...FOUND, ...found }
    },
    ...more
  })

describe('a saturation is described', () => {
  test('as recorded: grids of operations and of messages, and a search', async () => {
    isAsRecorded('description-saturation.json', {
      grid: summaryOf(describeSaturation(await stored('results-0.1.0/saturate'))),
      search: summaryOf(describeSaturation(await stored('studies/saturate-search-before'))),
      gossip: summaryOf(describeSaturation(gossipGrid(false))),
      simulated: summaryOf(describeSaturation(gossipGrid(true)))
    })
  })

  test('a grid: what was sustained, what was not, what limited it, and which runs failed', () => {
    const description = describeSaturation(GRID)
    summaryOf(description)
    assert.equal(
      description.headline,
      'The server sustained up to 50/s (r=50 c=1), and not 100/s (r=100 c=1), limited by: server CPU (97 % of what it may use; load generator 20 %; offered load 50 %).'
    )
    assert.deepEqual(tableIn(description, 'grid').rows, [
      [50, 100],
      [100, 50],
      [200, null]
    ])
    assert.deepEqual(columnIn(description, 'trials', 'Sustained'), ['yes', 'no', 'failed'])
    assert.deepEqual(columnIn(description, 'trials', 'Why not'), [
      null,
      'achieved >= 99%: 50 %',
      'run failed: the server ended'
    ])
    assert.ok(description.warnings.some(({ code }) => code === 'RUNS_FAILED'))
    assert.deepEqual(
      chooseTrialsToDescribe(GRID).map(({ label }) => label),
      ['r=50, c=1', 'r=100, c=1']
    )
  })

  const rates = [
    { share: 0.9, perSecond: 1234, low: 1150.4, high: 1310.2 },
    { share: 0.5, perSecond: 1300, low: 1250, high: 1350 }
  ]
  /** @param {any[]} cells */
  const gridOf = cells =>
    documentWith({
      grid: { rates: cells.map(cell => cell.perSecond), connections: [1], cells, chosen: null }
    })

  const told = {
    'a grid with nothing measured': gridOf([CELLS[2]]),
    'a grid with all sustained': gridOf([CELLS[0]]),
    'a grid with all sustained until one failed': gridOf([CELLS[0], CELLS[2]]),
    'a grid with none sustained': gridOf([CELLS[1]]),
    'a search that did not finish': searchWith(null),
    'a search that came to its end': searchWith({}),
    'a search whose repeats contradict': searchWith({ closed: false }),
    'a search that sustained nothing': searchWith({ below: null }),
    'a search that sustained everything': searchWith({ above: null }),
    'a search bound by the load generator': searchWith({ generatorBound: true }),
    'a search with an interval': searchWith({ estimate: { blocks: 8, rates, contradict: false } }),
    'a search without one': searchWith({ estimate: { blocks: 8, rates: [], contradict: true } })
  }
  test('as recorded, in a sentence and what it warns of', () => {
    const found = Object.entries(told).map(([what, document]) => {
      const description = describeSaturation(document)
      summaryOf(description)
      const codes = description.warnings.map(({ code }) => code)
      const whyNot = document.search && columnIn(description, 'trials', 'Why not')
      return [what, [description.headline, ...codes, whyNot]]
    })
    isAsRecorded('saturation-headlines.json', Object.fromEntries(found))
  })

  test('a search that did not finish says what its complete blocks come to', () => {
    const trial = (/** @type {number} */ perSecond) => ({
      ...{ ...CELLS[0], purpose: 'block', perSecond },
      sustained: perSecond < 1000
    })
    const block = [800, 900, 980, 1100, 1200].map(trial)
    const unfinished = searchWith(null)
    const trials = [...Array(4).fill(block).flat(), trial(300)]
    const { headline } = describeSaturation({ ...unfinished, search: { ...unfinished.search, trials } })
    assert.match(
      headline,
      /^The search did not finish; so far: 9\d\d\/s in 9 of 10 trials \(.*, 4 blocks of trials\)\./
    )
  })

  test('servers for a network, also in the headline', () => {
    const network = { peers: 1_000_000, requestsPerDay: 8, peakFactor: 2, ttlSeconds: 7200 }
    const estimate = { blocks: 8, rates, contradict: false }
    const description = describeSaturation(searchWith({ estimate }, { network }))
    summaryOf(description)
    assert.match(description.headline, /; 1,000,000 peers need 1 server\.$/)
    assert.ok(tableIn(description, 'network').rows.some(([name]) => name === 'Servers'))
    assert.match(describeSaturation(searchWith({ above: null }, { network })).headline, /at most \d+ servers/)
  })

  test('of messages: what a network is short of, and how much of a modelled one is used', () => {
    assert.match(describeSaturation(gossipGrid(false)).headline, /limited by: load generator \(97 %/)
    const simulated = describeSaturation(gossipGrid(true))
    assert.match(simulated.headline, /limited by: link \(80 % of its bandwidth; offered load 83 %\)\.$/)
    assert.deepEqual(columnIn(simulated, 'trials', 'Lines used %'), [80, 80])
    assert.deepEqual(columnIn(simulated, 'trials', 'Why not'), [null, 'achieved >= 99%: 83.33 %'])
  })
})
