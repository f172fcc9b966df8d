import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sameParts } from '../../../../src/scenarios/rendezvous/plan/rendezvous-plan.js'
import { planned } from '../../../plan/planned.js'

const OPEN = { rate: '10/s', duration: '10s', registerMode: 'refresh' }
const KILLED = { ...OPEN, servers: '3', store: 'postgres', fault: 'server=2 at=3s kill' }
const { fault, ...WHOLE } = KILLED

describe('a run goes on with what the run before has left up', () => {
  it('at another rate, for another time', () =>
    assert.ok(sameParts(planned(OPEN), planned({ ...OPEN, rate: '20/s', duration: '5s' }))))

  it('where a server of it is to be killed, but not after that', () => {
    assert.ok(sameParts(planned(WHOLE), planned(KILLED)))
    assert.ok(!sameParts(planned(KILLED), planned(WHOLE)))
    assert.ok(!sameParts(planned(KILLED), planned(KILLED)))
  })

  it('but not after clients have come and gone', () => {
    const churned = planned({ ...OPEN, churn: '1,every=2s,away=1s' })
    assert.ok(!sameParts(churned, churned))
  })

  it('but not with other clients, or other registrations', () => {
    assert.ok(!sameParts(planned(OPEN), planned({ ...OPEN, nClients: '7' })))
    assert.ok(!sameParts(planned(OPEN), planned({ ...OPEN, initialRegistrations: '7' })))
  })
})
