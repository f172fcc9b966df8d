import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tooManyConnections } from '../../../../src/scenarios/rendezvous/plan/open-files-rule.js'

const ours = { nClients: 20_000, workers: 2, server: 'auto' }

test('clients that a server may not all be connected to are refused, with what to raise', () => {
  assert.equal(
    tooManyConnections(ours, 20_000),
    'needs 20,100 open files in a process of the server, and it may have 20,000 here: raise that with ulimit -n 20100, or use fewer clients'
  )
  assert.equal(tooManyConnections(ours, 20_100), null)
})

test('so are those that their own process may not all connect', () => {
  for (const server of ['docker', 'process'])
    assert.match(
      tooManyConnections({ ...ours, workers: 1, server }, 20_000) ?? '',
      /^needs 20,100 open files in a process of the load generator,/
    )
})

test('several servers and processes share them; what is elsewhere is not asked', () => {
  assert.equal(tooManyConnections({ ...ours, servers: 2 }, 11_000), null)
  assert.equal(tooManyConnections({ ...ours, server: 'docker' }, 11_000), null)
  const target = '/ip4/127.0.0.1/tcp/8000'
  assert.equal(tooManyConnections({ ...ours, target }, 11_000), null)
  assert.equal(tooManyConnections({ ...ours, target, agents: 2 }, 300), null)
})

test('any process may have a few', () => {
  assert.equal(tooManyConnections({ ...ours, nClients: 400 }, 256), null)
})
