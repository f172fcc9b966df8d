import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aboutRun, describeRun, tookLine, warningText } from '../../../src/report/describe-run.js'
import { sampleResult } from '../sample-result.js'
import { described, warningsOf } from '../shown.js'
import { aDescription } from './a-description.js'

/** @typedef {import('../../../src/scenarios/index.js').AnyResult} AnyResult */

const UNSETTLED = { code: 'NOT_STATIONARY', values: { type: 'REGISTER', firstMs: 3, lastMs: 2 } }
const FAILED = {
  code: 'NOTHING_SUCCEEDED',
  values: { type: 'REGISTER', count: 500, outcomes: { TIMEOUT: 500 } }
}
const LOST = { code: 'OPERATIONS_FAILED', values: { type: 'REGISTER', outcomes: { TIMEOUT: 5 } } }
const LEFT = { code: 'LEFT_BEHIND', values: { text: 'a schema is left: drop it' } }
const BUSY = {
  code: 'GENERATOR_LIMITED',
  values: { busy: { utilization: 0.974, worker: 0 }, overheads: [] }
}

/** @param {any[]} warnings */
const warned = warnings => warningsOf(sampleResult({ warnings }))

/** @param {AnyResult} result @param {string} id */
const tableOf = (result, id) => described(result).tables.find(table => table.id === id)

describe('warnings', () => {
  test('stand by harm: errors, what is left behind, failures, the load generator, the rest, and those of its scenario that are not said already', () => {
    const result = sampleResult({
      warnings: [
        { code: 'SERVER_NOT_SAMPLED', values: { kind: 'target' } },
        UNSETTLED,
        BUSY,
        LOST,
        LEFT,
        FAILED
      ]
    })
    const own = [
      { code: 'OWN', text: 'its own' },
      { code: 'NOT_STATIONARY', text: 'said already' }
    ]
    const { warnings } = describeRun(result, { describeResult: () => aDescription({ warnings: own }) })
    assert.deepEqual(
      warnings.map(({ code }) => code),
      [
        'NOTHING_SUCCEEDED',
        'LEFT_BEHIND',
        'OPERATIONS_FAILED',
        'GENERATOR_LIMITED',
        'SERVER_NOT_SAMPLED',
        'NOT_STATIONARY',
        'OWN'
      ]
    )
  })

  test('begin with what broke the run off', () => {
    const reason = { code: 'SERVER_DIED', message: 'it died' }
    const [first, second] = warningsOf(
      sampleResult({ warnings: [UNSETTLED], result: { status: 'partial', reason } })
    )
    assert.equal(first, 'Partial result: it died')
    assert.match(second, /had not settled/)
  })

  test('say once of all operations, and of all workers, that the load generator limited the run', () => {
    const overheads = [
      { of: 'REGISTER', share: 0.99, ms: 8, overheadMs: 5 },
      { of: 'DISCOVER', share: 0.5, ms: 0.4, overheadMs: 0.25 }
    ]
    const texts = warned([{ ...BUSY, values: { ...BUSY.values, overheads } }])
    assert.equal(texts.length, 1)
    assert.match(
      texts[0],
      /^Generator-limited: worker 0 of the load generator was 97 % busy, client overhead is 5\.00 of 8\.00 ms at REGISTER p99 and client overhead is 0\.250 of 0\.400 ms at DISCOVER p50\./
    )
  })

  test('are in words, and one of a later version has its code and values', () => {
    assert.match(warningText(BUSY), /^Generator-limited: worker 0 of the load generator was 97 % busy\. /)
    assert.equal(warningText({ code: 'FROM_THE_FUTURE', values: { x: 1 } }), 'FROM_THE_FUTURE {"x":1}')
  })

  test('a run that ended without a reason says so', () =>
    assert.deepEqual(warningsOf(sampleResult({ result: { status: 'partial' } })), [
      'Partial result: the run did not end'
    ]))
})

test('a run in which nothing was measured can be described, with why', () => {
  const result = sampleResult({ result: { status: 'partial' }, outcome: { operations: {}, server: null } })
  const { tables, warnings } = describeRun(result, {
    describeResult: () => aDescription({ tables: [] })
  })
  assert.deepEqual(
    tables.filter(({ rows }) => rows.length > 0),
    []
  )
  assert.equal(warnings.length, 1)
})

test('thresholds have a row each, which a terminal shows', () => {
  const asked = { metric: 'REGISTER.p99', operator: '<', limit: 50, unit: 'ms' }
  const table = tableOf(
    sampleResult({
      outcome: {
        thresholds: /** @type {any} */ ([
          { ...asked, text: 'REGISTER.p99 < 50ms', actual: 26, passed: true },
          { ...asked, text: 'REGISTER.p99 < 20ms', actual: 26, passed: false }
        ])
      }
    }),
    'thresholds'
  )
  assert.deepEqual(table?.rows, [
    ['✔ REGISTER.p99 < 50ms', '26.0 ms', 'passed'],
    ['✖ REGISTER.p99 < 20ms', '26.0 ms', 'failed']
  ])
  assert.equal(table?.terminal, true)
})

test('agents have a row each: what they did, and when they were lost', () => {
  const agent = {
    ...{
      id: 'a',
      host: 'one',
      cores: 2,
      workers: [0, 2],
      operations: 500,
      busiest: 0.5,
      overheadMs: 0.1,
      lateMs: 0
    },
    ...{ clock: { errorMs: 0.2, driftPpm: 3 }, lost: null }
  }
  const result = sampleResult()
  const gone = { ...agent, id: 'b', operations: null, busiest: null, clock: null, lost: { atMs: 1500 } }
  const run = /** @type {any} */ ({ ...result.run, agents: [agent, gone] })
  assert.deepEqual(tableOf({ ...result, run }, 'agents')?.rows, [
    ['a (one)', 2, '0, 2', 500, 50, 0.1, 0, 0.2, 3, 'no'],
    ['b (one)', 2, '0, 2', null, null, 0.1, 0, null, null, 'after 1.50 s']
  ])
  assert.deepEqual(tableOf(result, 'agents')?.rows, [])
})

test('a report says with what and on what a run was made: phases, every parameter, machine, versions', () => {
  const result = sampleResult({ options: { rate: '100/s' } })
  const phases = [
    {
      name: 'setup',
      state: /** @type {const} */ ('done'),
      startMs: 0,
      durationMs: 912,
      detail: 'in a process'
    }
  ]
  const [ofPhases, plan, environment] = aboutRun({ ...result, run: { ...result.run, phases } })
  assert.deepEqual(ofPhases.rows, [['setup', 'done', 0, 0.912, 'in a process']])
  assert.deepEqual(
    plan.rows.map(([name]) => name),
    Object.keys(result.plan)
  )
  const values = Object.fromEntries([...plan.rows, ...environment.rows])
  assert.deepEqual([values.seed, values.target], ['1', '–'])
  assert.equal(values.Machine, '2 × some, linux x64')
  assert.deepEqual(values.Memory, { value: 8000, kind: 'MB' })
  assert.equal(values.node, '20.20.2')
})

test('when a run was made, and how long it took', () => {
  const { run } = sampleResult()
  assert.equal(tookLine(run, run), '2026-11-20 07:12 UTC · took 20.0 s · 2 cores, some')
  assert.equal(tookLine({ ...run, finishedAt: null }), '2026-11-20 07:12 UTC · its end was not written')
})
