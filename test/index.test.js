import '../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { compare, makePlan } from '../src/index.js'
import { checkPlanOrStudy, checkSettings, PlanError } from '../src/studies/run-input.js'
import { comparisonSample } from './studies/compare/comparison-sample.js'

describe('runs of a program', () => {
  test('are compared as the command does', async () => {
    const [base, candidate] = comparisonSample().comparison.sides
    const { base: shown, candidate: against } = await compare(base, candidate, { alternated: true })
    assert.deepEqual([shown.label, against.label], [base.label, candidate.label])
  })

  test('cannot be compared where their scenario has no such figures', async () => {
    const side = { label: 'a', results: [{ scenario: 'unknown' }] }
    await assert.rejects(compare(/** @type {any} */ (side), /** @type {any} */ (side)), {
      name: 'IncomparableError',
      message: 'runs of unknown cannot be compared'
    })
  })
})

describe('settings of a run', () => {
  test('are taken where each is of its kind, or left out', () => {
    checkSettings({})
    checkSettings({
      id: 'a-1_b.c=d',
      folder: '/f',
      signal: new AbortController().signal,
      cacheDir: '/c',
      fleet: {},
      handover: {},
      onRecord() {}
    })
    checkSettings({ id: undefined, signal: undefined, onRecord: undefined })
  })

  for (const [settings, message] of /** @type {[any, RegExp][]} */ ([
    [{ id: 'a/b' }, /^id must be of letters, digits and/],
    [{ folder: 1 }, /^folder must be the path of a folder$/],
    [{ cacheDir: null }, /^cacheDir must be the path of a folder$/],
    [{ onRecord: 'x' }, /^onRecord must be a function of a record$/],
    [undefined, /must be an object, such as \{ signal \}: they are undefined$/],
    ['x', /they are x$/]
  ]))
    test(`are refused: ${message.source}`, () =>
      assert.throws(() => checkSettings(settings), { name: 'TypeError', message }))
})

describe('what is to be run', () => {
  test('is a plan as it was made, or what makePlan gave', async () => {
    const made = makePlan('rendezvous', { nClients: 4, workers: 2 })
    const { plan } = await checkPlanOrStudy(made)
    assert.equal(plan, (await made).plan)
    assert.equal((await checkPlanOrStudy(plan)).plan, plan)
    const changed = { .../** @type {any} */ (plan), nClients: 2 }
    assert.equal((await checkPlanOrStudy(changed)).plan, changed)
  })

  test('is a study, or what makeStudy gave', async () => {
    const study = { kind: 'ab', planned: { document: {} } }
    assert.deepEqual(
      [await checkPlanOrStudy(study), await checkPlanOrStudy({ study })],
      [{ study }, { study }]
    )
  })

  test('is something', async () => {
    await assert.rejects(checkPlanOrStudy(null), /makeStudy does: it is null$/)
    await assert.rejects(checkPlanOrStudy(7), /: it is number$/)
  })

  test('is a plan without what its scenario does not know: each such thing is named, and nothing that is there', async () => {
    const { plan } = await makePlan('rendezvous')
    await assert.rejects(checkPlanOrStudy({ .../** @type {any} */ (plan), nClients: 'many' }), error => {
      assert.ok(error instanceof PlanError)
      assert.deepEqual(
        error.problems.map(({ flag }) => flag),
        ['plan.nClients', '']
      )
      return true
    })
    const { seed, ...lacking } = /** @type {any} */ (plan)
    await assert.rejects(checkPlanOrStudy(lacking), ({ problems }) => {
      assert.deepEqual([problems.length, problems[0].allowed], [2, 'lacks seed'])
      return true
    })
  })
})
