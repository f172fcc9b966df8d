import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WholeNetwork } from '../../../../src/network/simulated/full/whole-network.js'
import { VirtualTime } from '../../../../src/network/simulated/virtual-time.js'

test('a node that was never added is named, whether it is asked for or dialled', () => {
  const model = /** @type {any} */ ({ partitions: [] })
  const network = new WholeNetwork(new VirtualTime(), { model, security: 'noise', muxer: 'yamux' })
  assert.deepEqual(network.nodes, [])
  assert.throws(() => network.node(3), { message: 'the simulated network has no node 3' })
  assert.throws(() => network.dial(4, 5), { message: 'the simulated network has no node 4' })
})
