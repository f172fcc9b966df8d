import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fillRendezvousResult } from '../../../src/scenarios/rendezvous/scenario.js'

describe('an old result', () => {
  it('gets what was added since, and keeps what it says itself', () => {
    const { plan, outcome, id } = fillRendezvousResult({
      id: 'run',
      plan: { store: 'postgres' },
      outcome: { target: { kind: 'process' }, server: { cpu: 5 }, secondsPerPoint: 2 }
    })
    assert.deepEqual([id, plan.store, plan.servers], ['run', 'postgres', 1])
    assert.deepEqual(outcome.target, { chosenBy: null, container: null, kind: 'process' })
    assert.deepEqual(outcome.server, { memoryCountedAs: 'resident set', cpu: 5 })
    assert.deepEqual([outcome.secondsPerPoint, outcome.faults, outcome.soak], [2, [], null])
  })

  it('has no server where it had none, and lacks the parts that it lacked', () => {
    const { plan, outcome } = fillRendezvousResult({ outcome: { server: null } })
    assert.deepEqual([plan, outcome.server, outcome.target], [undefined, null, undefined])
    assert.equal(fillRendezvousResult({}).outcome, undefined)
  })
})
