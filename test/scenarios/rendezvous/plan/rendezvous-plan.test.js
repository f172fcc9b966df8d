import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { canReuseServer, checkOpenFiles } from '../../../../src/scenarios/rendezvous/plan/rendezvous-plan.js'
import { planned } from '../../../plan/planned.js'

const ours = { nClients: 20_000, workers: 2, server: 'auto' }

test('clients that a server may not all be connected to are refused, with what to raise', () => {
  assert.equal(
    checkOpenFiles(ours, 20_000),
    'needs 20,100 open files in a process of the server, and it may have 20,000 here: raise that with ulimit -n 20100, or use fewer clients'
  )
  assert.equal(checkOpenFiles(ours, 20_100), null)
})

test('so are those that their own process may not all connect', () => {
  for (const server of ['docker', 'process'])
    assert.match(
      checkOpenFiles({ ...ours, workers: 1, server }, 20_000) ?? '',
      /^needs 20,100 open files in a process of the load generator,/
    )
})

test('several servers and processes share them; what is elsewhere is not asked', () => {
  assert.equal(checkOpenFiles({ ...ours, servers: 2 }, 11_000), null)
  assert.equal(checkOpenFiles({ ...ours, server: 'docker' }, 11_000), null)
  const target = '/ip4/127.0.0.1/tcp/8000'
  assert.equal(checkOpenFiles({ ...ours, target }, 11_000), null)
  assert.equal(checkOpenFiles({ ...ours, target, agents: 2 }, 300), null)
})

test('so are 300 where 256 files may be open, and processes that the program itself has no room for', () => {
  assert.match(
    checkOpenFiles({ nClients: 300, workers: 2, server: 'process' }, 256) ?? '',
    /^needs 400 open files in a process of the server, and it may have 256 here: raise that with ulimit -n 400,/
  )
  const actual = checkOpenFiles({ nClients: 200, workers: 200, server: 'docker' }, 256) ?? ''
  assert.match(actual, /^needs 300 open files in the program itself,/)
})

test('so few as any process that is loaded may have open are not refused', () =>
  assert.equal(checkOpenFiles({ ...ours, nClients: 28 }, 64), null))

const OPEN = { rate: '10/s', duration: '10s', registerMode: 'refresh' }
const KILLED = { ...OPEN, servers: '3', store: 'postgres', fault: 'server=2 at=3s kill' }
const { fault, ...WHOLE } = KILLED

describe('a run goes on with what the run before has left up', () => {
  it('at another rate, for another time', () =>
    assert.ok(canReuseServer(planned(OPEN), planned({ ...OPEN, rate: '20/s', duration: '5s' }))))

  it('where a server of it is to be killed, but not after that', () => {
    assert.ok(canReuseServer(planned(WHOLE), planned(KILLED)))
    assert.ok(!canReuseServer(planned(KILLED), planned(WHOLE)))
    assert.ok(!canReuseServer(planned(KILLED), planned(KILLED)))
  })

  it('but not after clients have come and gone', () => {
    const churned = planned({ ...OPEN, churn: '1,every=2s,away=1s' })
    assert.ok(!canReuseServer(churned, churned))
  })

  it('but not with other clients, or other registrations', () => {
    assert.ok(!canReuseServer(planned(OPEN), planned({ ...OPEN, nClients: '7' })))
    assert.ok(!canReuseServer(planned(OPEN), planned({ ...OPEN, initialRegistrations: '7' })))
  })
})
