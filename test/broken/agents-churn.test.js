import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { NO_NATS, startBus } from '../acceptance/bus.js'
import { INDEX, runCommand, startProgram, TIMEOUT } from '../acceptance/loadtest.js'

describe('churn over agents', { skip: NO_NATS }, () => {
  /** @type {import('../acceptance/bus.js').Bus} */
  let bus
  /** @type {string[]} */
  let over
  before(async () => {
    bus = await startBus()
    over = ['--bus', bus.url, '--agents', '2']
    const agents = [1, 2].map(() => startProgram(INDEX, ['agent', '--bus', bus.url], { wholeFile: true }))
    await Promise.all(agents.map(agent => agent.line(/^agent \w+ is ready/)))
  })
  after(() => bus?.kill())

  test(
    'are peers of a rendezvous server, which see one another from machine to machine',
    TIMEOUT,
    async () => {
      const who = ['--nClients', '6', '--churn', '2,every=1s,away=500ms', '--discoverLimit', '1000']
      const how = ['--benchmarkType', 'DISCOVER', '--rate', '20/s', '--ttl', '1m', '--nNamespaces', '1']
      const { code, result, stderr } = await runCommand([
        ...['rendezvous', ...who, ...how, '--warmup', '100ms', '--duration', '4s'],
        ...['--server', 'process', ...over]
      ])
      assert.equal(code, 0, stderr)
      const { churn, operations } = /** @type {any} */ (result.outcome)
      assert.equal(operations.DISCOVER.outcomes.OK, operations.DISCOVER.count)
      assert.ok(churn.lives.started > 0 && churn.lives.killed > 0, JSON.stringify(churn.lives))
      assert.ok(churn.visible.seen > 0)
      assert.equal(result.run.agents?.length, 2)
      assert.ok(result.run.warnings.some(({ code }) => code === 'CLOCKS_APART'))
    }
  )

  test('are nodes of a network', TIMEOUT, async () => {
    const how = ['--nodes', '6', '--churn', '2,every=1s,away=300ms,settle=500ms,dials=3', '--rate', '10/s']
    const topology = ['--topology', 'full', '--duration', '4s']
    const { code, result, stderr } = await runCommand([...['gossip', ...how, ...topology, ...over]])
    assert.equal(code, 0, stderr)
    const { churn, delivery } = /** @type {any} */ (result.outcome)
    assert.ok(churn.lives.started > 0, JSON.stringify(churn.lives))
    assert.equal(churn.lives.failed, 0, JSON.stringify(churn.lives))
    assert.ok(delivery.ratio > 0.9, String(delivery.ratio))
    assert.equal(result.run.agents?.length, 2)
  })
})
