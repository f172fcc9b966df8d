import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { blameless, trialTurn } from '../../../src/studies/saturate/study.js'
import { newTrial } from '../../../src/studies/saturate/trials.js'
import { modelledRun } from '../../cli/modelled-server.js'
import { sampleResult } from '../../report/sample-result.js'

const { plan } = sampleResult({ options: { rate: '100/s', nClients: 1, duration: '6s' } })
const result = modelledRun(plan, 'x', { capacity: 500 })

describe('a trial as a run of its study', () => {
  test('says what was measured, and which conditions of the objective it missed', async () => {
    const trial = newTrial({ name: 't', plan })
    const turn = trialTurn(trial, { label: '100/s', objective: ['REGISTER.p50 < 1ms', 'achieved >= 99%'] })
    assert.deepEqual([turn.label, turn.name, turn.plan, turn.isDone()], ['100/s', 't', plan, false])
    await turn.keep({ status: 'complete', reason: null, tookMs: 5, result }, 'runs/t')
    assert.deepEqual([trial.run, trial.tookMs, turn.isDone()], ['runs/t', 5, true])
    assert.equal(trial.point?.achieved, 600)
    const missed = trial.reasons.map(reason => reason.code === 'OBJECTIVE' && [reason.text, reason.actual])
    assert.deepEqual([trial.sustained, missed], [false, [['REGISTER.p50 < 1ms', 2]]])
  })

  test('has no measure of a run that was broken off, and no run where nothing is kept', async () => {
    const trial = newTrial({ name: 't', plan })
    let judged = 0
    const turn = trialTurn(trial, { label: '', objective: [], judge: () => void judged++ })
    const partial = { ...result, status: /** @type {const} */ ('partial') }
    await turn.keep({ status: 'failed', reason: null, tookMs: 5, result: partial }, 'runs/t')
    assert.deepEqual([trial.point, trial.run, turn.isDone()], [null, 'runs/t', false])
    const reason = { code: 'X', message: 'gone' }
    await turn.keep({ status: 'failed', reason, tookMs: 5, result: null }, 'runs/t')
    assert.deepEqual([trial.point, trial.run, trial.reason, judged], [null, null, reason, 2])
  })
})

test('a study that ends at a run names the run and what ended it, as far as that is known', () => {
  const reason = { code: 'DIED', message: 'the server died' }
  assert.deepEqual(blameless({ name: 't' }, { reason }), { code: 'DIED', message: 't: the server died' })
  assert.deepEqual(blameless({ name: 't' }, { reason: null }), {
    code: 'NO_RESULT',
    message: 't: it ended without a result'
  })
})
