import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ApplicationValidation } from '../../src/network/node-observer.js'

/** @typedef {ConstructorParameters<typeof ApplicationValidation>[0]} Plan */

/** @param {Partial<Plan>} plan */
function installed(plan) {
  const validation = new ApplicationValidation({
    seed: 1,
    nodes: 5,
    validation: { accept: 1, ignore: 0, reject: 0 },
    validationDelayMs: 0,
    ...plan
  })
  /** @type {Map<string, any>} */
  const topicValidators = new Map()
  validation.install(3, { topicValidators }, ['a', 'b'])
  return { validation, topicValidators }
}

describe('the validation of an application', () => {
  it('is none where nothing is asked for', () => {
    assert.equal(installed({}).topicValidators.size, 0)
  })

  it('accepts, ignores and rejects by the shares of the plan, and counts it', async () => {
    const { validation, topicValidators } = installed({
      validation: { accept: 0.5, ignore: 0.3, reject: 0.2 }
    })
    assert.deepEqual([...topicValidators.keys()], ['a', 'b'])
    const answers = { accept: 0, ignore: 0, reject: 0 }
    for (let i = 0; i < 5000; i++) {
      const answer = await topicValidators.get('a')()
      answers[/** @type {keyof typeof answers} */ (answer)]++
    }
    const { accept, ignore, reject } = answers
    assert.deepEqual(validation.counts, { accepted: accept, ignored: ignore, rejected: reject })
    for (const [count, expected] of [
      [accept, 2500],
      [ignore, 1500],
      [reject, 1000]
    ])
      assert.ok(Math.abs(count - expected) < 200, `${count} of about ${expected}`)
  })

  it('takes its time', async t => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { validation, topicValidators } = installed({ validationDelayMs: 50 })
    const answer = topicValidators.get('a')()
    t.mock.timers.tick(49)
    assert.equal(validation.counts.accepted, 0)
    t.mock.timers.tick(1)
    assert.equal(await answer, 'accept')
    assert.equal(validation.counts.accepted, 1)
  })

  it('ignores what waits when it is stopped, and whatever comes, without counting it', async t => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { validation, topicValidators } = installed({ validationDelayMs: 50 })
    const waiting = topicValidators.get('a')()
    validation.stop()
    assert.equal(await waiting, 'ignore')
    const coming = topicValidators.get('b')()
    t.mock.timers.tick(50)
    assert.equal(await coming, 'ignore')
    assert.deepEqual(validation.counts, { accepted: 0, ignored: 0, rejected: 0 })
  })
})
