import '../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { makePlan, makeStudy, run, runPlan } from '../src/index.js'
import { PlanError } from '../src/studies/run-input.js'

const NETWORK = Object.freeze({
  network: 'simulated',
  nodes: 5,
  topology: 'full',
  messages: 4,
  linkLatency: 0
})

/** @type {string} */
let outputDir
before(async () => {
  outputDir = await mkdtemp(join(tmpdir(), 'loadtest-library-'))
})
after(() => rm(outputDir, { recursive: true }))

/** Two short runs on simulated networks. */
const pair = () =>
  makeStudy('ab', { words: ['gossip', '--D 4', '--D 5'], options: { ...NETWORK, runs: 1, outputDir } })

describe('a program runs', () => {
  test('a plan, and awaits its result', async () => {
    /** @type {string[]} */
    const kinds = []
    const result = await run(makePlan('gossip', { ...NETWORK }), {
      id: 'mine',
      onRecord: ({ type }, place) => {
        assert.deepEqual(place, { run: 'mine', index: 1, total: 1 })
        kinds.push(type)
      }
    })
    assert.deepEqual([result.status, result.scenario, result.id], ['complete', 'gossip', 'mine'])
    assert.deepEqual([kinds[0], kinds.at(-1)], ['start', 'result'])
  })

  test('a plan without a name for the run, and takes its records', async () => {
    const made = await makePlan('gossip', { ...NETWORK, seed: 7 })
    const records = []
    for await (const record of runPlan(made.plan)) records.push(record)
    const last = records.at(-1)
    assert.ok(last?.type === 'result')
    assert.match(last.result.id, /^\d{8}-\d{4}-gossip-7$/)
  })

  test('a study, and awaits what it came to', async () => {
    /** @type {Set<number>} */
    const turns = new Set()
    const ended = await run(await pair(), { onRecord: (_, { index }) => void turns.add(index) })
    assert.deepEqual([ended.document.status, ended.errors, [...turns]], ['complete', [], [1, 2]])
    assert.match(ended.text, /Verdict/)
    assert.ok(ended.files.includes(join(ended.folder, 'report.html')))
    assert.ok((await readdir(ended.folder)).includes('comparison.json'))
  })

  test('a study, and takes the records of its runs; it ends when they are not taken any more', async () => {
    const kinds = new Set()
    for await (const { type } of runPlan(pair())) kinds.add(type)
    assert.ok(['start', 'result', 'study'].every(type => kinds.has(type)))
    for await (const record of runPlan(pair())) if (record.type === 'result') break
  })
})

describe('what a program forgot is said', () => {
  /** @type {readonly (readonly [what: unknown, settings: any, error: RegExp])[]} */
  const cases = [
    [
      undefined,
      {},
      /^TypeError: what is run must be a plan, as makePlan gives it, or a study, .*: it is undefined$/
    ],
    [{}, {}, /^TypeError: what is run lacks a scenario/],
    [{ scenario: 'gosip' }, {}, /^TypeError: there is no scenario gosip: there are rendezvous, gossip, /],
    [makePlan('rendezvous', { nClients: 0 }), {}, /^PlanError: --nClients 0 must be a whole number/],
    [
      { scenario: 'gossip', nodes: 5 },
      {},
      /^PlanError: the plan lacks topology, dialOrder, .* and \d+ more; makePlan\('gossip', options\) makes whole plans$/
    ],
    [{ study: {} }, {}, /^TypeError: what is run is no study: makeStudy gives one$/],
    [makeStudy('ab', { words: ['one'] }), {}, /^PlanError: /],
    [
      makePlan('rendezvous'),
      { sginal: 1 },
      /^TypeError: sginal is no setting of a run: there are id, .*signal/
    ],
    [makePlan('rendezvous'), { signal: 1 }, /^TypeError: signal must be an AbortSignal$/],
    [makePlan('rendezvous'), null, /^TypeError: settings of a run must be an object/]
  ]
  for (const [place, [what, settings, expected]] of cases.entries())
    test(`${place + 1}: ${expected.source.slice(0, 60)}`, async () => {
      const errors = await Promise.all([
        run(what, settings).catch(String),
        runPlan(what, settings).next().catch(String)
      ])
      for (const error of errors) assert.match(String(error), expected)
    })

  test('problems of a plan can be taken one by one', async () => {
    const error = await run(makePlan('rendezvous', { nClients: 0, benchmarkType: 'delete' })).catch(
      error => error
    )
    assert.ok(error instanceof PlanError)
    assert.deepEqual(
      error.problems.map(({ flag, value }) => [flag, value]),
      [
        ['--nClients', '0'],
        ['--benchmarkType', 'delete']
      ]
    )
  })

  test('a quality report is planned like the others, and says what is wrong', async () => {
    const { study } = await makeStudy('qa', { words: ['gossip'], options: { quick: true, outputDir } })
    assert.deepEqual([study?.kind, study?.planned.document.scenario], ['qa', 'gossip'])
    const { problems } = await makeStudy('qa', { words: ['gossip'], options: { runs: 'many' } })
    assert.deepEqual(
      problems?.map(({ flag }) => flag),
      ['--runs']
    )
  })

  test('scenarios and studies that there are are named', async () => {
    await assert.rejects(makePlan('gosip'), /there are rendezvous, gossip, /)
    await assert.rejects(makeStudy(/** @type {any} */ ('abb')), /there are matrix, ab, /)
  })
})
