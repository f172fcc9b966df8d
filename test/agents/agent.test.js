import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { Agent, MessageSender } from '../../src/agents/agent.js'
import { MessageAssembler } from '../../src/agents/bus/message-parts.js'
import { until } from '../until.js'

test('an agent that nobody has taken leaves the bus without a word when it is stopped', async () => {
  /** @type {string[]} */
  const did = []
  const connection = { close: async () => void did.push('closed') }
  const agent = new Agent(
    /** @type {any} */ ({
      tags: ['eu'],
      limits: { maxClients: null, maxRate: null, allowTargets: null },
      version: '1.2.3',
      say: (/** @type {string} */ text) => void did.push(text)
    }),
    { connection: /** @type {any} */ (connection), stream: /** @type {any} */ ({}), address: '10.0.0.1' }
  )
  const { address, tags, version, busy } = agent.card
  assert.deepEqual([address, tags, version, busy], ['10.0.0.1', ['eu'], '1.2.3', null])
  await agent.stop()
  assert.deepEqual([did, agent.card.busy], [['closed'], null])
})

/** A bus that keeps what it is told, unless it is away. */
function fakeBus() {
  const bus = {
    away: false,
    tried: 0,
    /** @type {{ subject: string, msgID: string, part: any }[]} */
    kept: [],
    /** @param {string} subject @param {Uint8Array} data @param {any} options */
    async publish(subject, data, { msgID, headers }) {
      bus.tried++
      if (bus.away) throw new Error('no responders')
      bus.kept.push({ subject, msgID, part: { data, headers } })
    }
  }
  return bus
}

/** @param {ReturnType<typeof fakeBus>} bus */
const telling = bus => new MessageSender(/** @type {any} */ (bus), 'told.run.agent')

/** @param {ReturnType<typeof fakeBus>} bus */
function valuesOn({ kept }) {
  const joining = new MessageAssembler()
  return kept.flatMap(({ part }) => joining.add(part)?.value ?? [])
}

describe('what an agent tells', () => {
  test('comes in order, each value once, and each message under an id of its own', async () => {
    const bus = fakeBus()
    const agent = telling(bus)
    await Promise.all([agent.tell({ n: 1 }), agent.tell({ n: 2 }), agent.tell({ n: 3 })])
    assert.deepEqual(valuesOn(bus), [{ n: 1 }, { n: 2 }, { n: 3 }])
    assert.ok(bus.kept.every(({ subject }) => subject === 'told.run.agent'))
    assert.equal(new Set(bus.kept.map(({ msgID }) => msgID)).size, 3)
  })

  test('comes whole when it is larger than a message of the bus', async () => {
    const bus = fakeBus()
    const large = new Uint8Array(randomBytes(1_200_000))
    await telling(bus).tell({ large })
    assert.ok(bus.kept.length > 1)
    assert.equal(new Set(bus.kept.map(({ msgID }) => msgID)).size, bus.kept.length)
    assert.deepEqual(valuesOn(bus), [{ large }])
  })

  test('is sent again, under the same id, when the bus was away, and before what follows', async () => {
    const bus = fakeBus()
    bus.away = true
    const agent = telling(bus)
    const told = [agent.tell('first'), agent.tell('second')]
    await until(() => bus.tried > 1)
    assert.deepEqual(bus.kept, [])
    bus.away = false
    await Promise.all(told)
    assert.deepEqual(valuesOn(bus), ['first', 'second'])
  })

  test('is waited for at its end', async () => {
    const bus = fakeBus()
    const agent = telling(bus)
    void agent.tell('last')
    await agent.end(60_000)
    assert.deepEqual(valuesOn(bus), ['last'])
  })

  test('is given up at its end when the bus stays away', async () => {
    const bus = fakeBus()
    bus.away = true
    const agent = telling(bus)
    const told = agent.tell('lost')
    await agent.end(1)
    await told
    bus.away = false
    await agent.tell('too late')
    assert.deepEqual(bus.kept, [])
  })
})
