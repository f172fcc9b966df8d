import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { LOOPBACK_NETWORKS } from '../../src/kit/host-address.js'
import { NO_NATS, startBus } from '../acceptance/bus.js'
import { assertComplete, operation } from '../acceptance/consistent.js'
import { FAST, runGossip } from '../acceptance/gossip-network.js'
import { QUICK, run, TIMEOUT } from '../acceptance/loadtest.js'
import { agentsOn } from './machine-agents.js'
import { makeMachines, NO_MACHINES } from './machines.js'

describe('agents on machines of their own, with a bus for those who have its password', {
  skip: NO_NATS || NO_MACHINES
}, () => {
  /** @type {ReturnType<typeof makeMachines>} */
  let network
  /** @type {import('../acceptance/bus.js').Bus} */
  let bus
  /** @type {string[]} */
  let over

  before(async () => {
    network = makeMachines(2)
    bus = await startBus({ host: network.here, secured: true })
    const reaching = ['--bus', bus.url, '--busCa', String(bus.ca)]
    over = [...reaching, '--agents', '2']
    const ready = await agentsOn(network.machines, reaching)
    assert.deepEqual(
      ready.map(({ address }) => address),
      network.machines.map(({ address }) => address)
    )
  })
  after(async () => {
    await bus?.kill()
    network?.end()
  })

  test('load our server, which listens to them alone', TIMEOUT, async () => {
    const load = ['--nClients', '4', '--rate', '40/s', '--duration', '1s', '--server', 'auto']
    const ended = await run([...QUICK, ...load, ...over])
    assertComplete(ended)
    assert.deepEqual(operation(ended.result, 'REGISTER').outcomes, { OK: 40 })
    const { multiaddr, chosenBy, settings } = ended.result.outcome.target
    assert.ok(multiaddr?.startsWith(`/ip4/${network.here}/tcp/`), String(multiaddr))
    assert.match(String(chosenBy), /other machines are to reach it/)
    const own = network.machines.map(({ address }) => `/ip4/${address}/ipcidr/32`)
    const { onlyFrom } = /** @type {Record<string, string>} */ (settings.server)
    assert.deepEqual(
      onlyFrom.split(',').sort(),
      [...LOOPBACK_NETWORKS, `/ip4/${network.here}/ipcidr/32`, ...own].sort()
    )
    // nothing secret is kept
    assert.doesNotMatch(JSON.stringify(ended.result), /sesame/)
  })

  test('hold nodes of one network', TIMEOUT, async () => {
    const load = ['--nodes', '6', '--messages', '20', '--rate', '20/s', '--topology', 'ring']
    const { code, result, stderr } = await runGossip([...FAST, ...load, ...over])
    assert.equal(code, 0, stderr)
    assert.equal(result.outcome.delivery.ratio, 1)
  })

  test('are named when they are not reached, and nothing is started', TIMEOUT, async () => {
    const here = await run([...over, '--address', '127.0.0.1'])
    assert.equal(here.code, 2)
    assert.equal(
      here.stderr.match(/does not reach this machine, where the run is, at 127\.0\.0\.1/g)?.length,
      2
    )
    network.part(true)
    const apart = await runGossip([...FAST, '--nodes', '2', '--messages', '1', '--topology', 'line', ...over])
    network.part(false)
    assert.equal(apart.code, 2)
    assert.match(
      apart.stderr,
      /agent \w+ \(.*\): does not reach agent \w+ \(.*\), at 10\.213\.\d+\.[23]: no answer in 3 s/
    )
    assert.deepEqual([...here.folders, ...apart.folders], [])
  })
})
