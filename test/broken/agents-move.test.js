import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { NO_NATS, startBus } from '../acceptance/bus.js'
import { runCommand, TIMEOUT } from '../acceptance/loadtest.js'
import { agentsOn } from './machine-agents.js'
import { makeMachines, NO_MACHINES } from './machines.js'

describe('what moves bytes to other machines', { skip: NO_NATS || NO_MACHINES }, () => {
  /** @type {ReturnType<typeof makeMachines>} */
  let network
  /** @type {import('../acceptance/bus.js').Bus} */
  let bus
  /** @type {string[]} */
  let reaching
  before(async () => {
    network = makeMachines(2)
    bus = await startBus({ host: network.here, secured: true })
    reaching = ['--bus', bus.url, '--busCa', String(bus.ca)]
    await agentsOn(network.machines, reaching)
  })
  after(async () => {
    await bus?.kill()
    network?.end()
  })

  test('perf has its client on an agent', TIMEOUT, async () => {
    const little = ['--size', '1MiB', '--repeats', '1', '--exchanges', '5', '--handshakeFor', '500ms']
    const { code, result, stderr } = await runCommand([
      ...['perf', ...little, '--streams', '1', ...reaching, '--agents', '1']
    ])
    assert.equal(code, 0, stderr)
    const { transfers, ways } = /** @type {any} */ (result.outcome)
    assert.equal(transfers.length, 2 * ways.length)
    assert.equal(result.run.agents?.length, 1)
  })

  test('transfer has its requestors on agents', TIMEOUT, async () => {
    const little = ['--size', '200kB', '--repeats', '5', '--latencies', 'none', '--requestors', '2']
    const ways = ['--protocols', 'blocks,http,https,libp2p-http,stream', '--bandwidths', 'none']
    const { code, result, stderr } = await runCommand([
      ...['transfer', ...little, ...ways, ...reaching, '--agents', '2']
    ])
    assert.equal(code, 0, stderr)
    const { transfers } = /** @type {any} */ (result.outcome)
    assert.ok(transfers.length >= 10)
    assert.ok(transfers.every((/** @type {any} */ { outcome }) => outcome === 'OK'))
    assert.equal(result.run.agents?.length, 2)
  })
})
