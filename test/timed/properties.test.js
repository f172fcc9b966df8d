import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { NEEDS_DOCKER } from '../acceptance/docker.js'
import { startForeignServer } from '../acceptance/foreign-server.js'
import { call, PAIRS, QUICK, runCommand, TIMEOUT } from '../acceptance/loadtest.js'
import { WHERE_POSSIBLE } from '../acceptance/namespaces.js'

const PEERS = ['rendezvous', '--nClients', '6', ...QUICK]
const CLIENTS = [...PEERS, '--rate', '20/s', '--duration', '4s']
const HOSTILE = [
  ...[...PEERS, '--rate', '50/s', '--duration', '9s'],
  ...['--hostile', 'frames', '--hostileEvery', '1s']
]
const NODES = [
  ...['gossip', '--nodes', '8', '--topology', 'random-degree:k=4'],
  ...['--duration', '5s', '--cooldown', '3s']
]

/** @param {any} outcome */
function hasLives({ churn }) {
  assert.ok(churn.lives.killed >= 2, JSON.stringify(churn.lives))
  assert.equal(churn.lives.failed, 0)
}

/** @param {any} outcome */
function hasHotSpots({ profile, profiles = [{ profile }] }) {
  for (const { profile } of profiles) assert.ok(profile.hotSpots.categories.length > 0)
}

/** @param {any} outcome */
function hasStretches({ hostile: { count, pairs } }) {
  assert.ok(pairs.length >= 1)
  assert.ok(count.quiet > 0 && count.hostile > 0, JSON.stringify(count))
}

/**
 * What each property of a load adds to a command line, and what the outcome has of it. Over agents: test/broken/agents-churn.test.js.
 *
 * @type {[property: string, args: string[], holds: (outcome: any) => void][]}
 */
const PROPERTIES = [
  ['clients that churn', [...CLIENTS, '--churn', '2,every=1s,away=500ms'], hasLives],
  ['hostile peers', HOSTILE, hasStretches],
  ['nodes that churn', [...NODES, '--churn', '2,every=1500ms,away=500ms,dials=3,settle=1s'], hasLives],
  ['profiled clients', [...CLIENTS, '--profile', 'cpu,heap'], hasHotSpots],
  ['profiled nodes', [...NODES, '--profile', 'cpu,heap'], hasHotSpots]
]

/** @type {{ where: string, options?: object, clients: string[], nodes: string[] }[]} */
const PLACES = [
  {
    where: 'on libp2p 2',
    clients: ['--server', 'process', '--stack', 'libp2p-2'],
    nodes: ['--stack', 'libp2p-2']
  },
  {
    where: 'in containers',
    options: NEEDS_DOCKER,
    clients: ['--server', 'docker'],
    nodes: ['--network', 'docker']
  },
  {
    where: 'in namespaces',
    options: WHERE_POSSIBLE,
    clients: ['--server', 'process', '--network', 'namespaces'],
    nodes: ['--network', 'namespaces', '--linkLatency', '5ms']
  }
]

describe('each property of a load', PAIRS, () => {
  for (const { where, options, clients, nodes } of PLACES)
    for (const [property, args, holds] of PROPERTIES) {
      // hostile peers connect over loopback
      if (args === HOSTILE && where === 'in namespaces') continue
      test(`${property}, ${where}`, { ...TIMEOUT, ...options }, async () => {
        const place = args[0] === 'gossip' ? nodes : clients
        const { code, stderr, result } = await runCommand([...args, ...place])
        assert.equal(code, 0, stderr)
        holds(result.outcome)
      })
    }

  test('a server that had hostile peers and clients that churn conforms as before', TIMEOUT, async () => {
    const { multiaddr } = await startForeignServer()
    for (const [, args, holds] of PROPERTIES.slice(0, 2)) {
      const { code, stderr, result } = await runCommand([...args, '--target', multiaddr])
      assert.equal(code, 0, stderr)
      holds(result.outcome)
    }
    const { code, stdout } = await call(['conform', multiaddr])
    assert.equal(code, 0, stdout)
  })
})
