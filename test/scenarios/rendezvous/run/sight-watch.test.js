import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { multiaddr } from '@multiformats/multiaddr'
import { timeLimit } from '../../../../src/kit/time-limit.js'
import { Meter } from '../../../../src/measure/meter.js'
import { Turns } from '../../../../src/measure/turns.js'
import { Namespaces } from '../../../../src/plan/namespaces.js'
import { encodeDiscoverResponse, encodeRegisterBody } from '../../../../src/protocol/messages.js'
import { SightWatch, watchesSight } from '../../../../src/scenarios/rendezvous/run/sight-watch.js'
import { reply, startHostileTarget } from '../../../acceptance/hostile-target.js'
import { planned } from '../../../plan/planned.js'
import { until } from '../../../until.js'

const plan = planned({ servers: 2, store: 'postgres', probeRate: 300 })

const SHOWN_AFTER_MS = 150

/** @typedef {{ body: Uint8Array, atMs: number, by: number }} Shared */

/** Two servers: what one has acknowledged is shown by the other a while later. */
async function twoServers() {
  /** @type {Map<string, Shared>} */
  const held = new Map()
  const server = (/** @type {number} */ me) =>
    startHostileTarget(({ message, stream, honestly }) => {
      const { register, unregister, discover } = message
      if (register !== undefined)
        held.set(register.ns ?? '', { body: encodeRegisterBody(register), atMs: performance.now(), by: me })
      if (unregister !== undefined) held.delete(unregister.ns ?? '')
      if (discover === undefined) return reply(stream, honestly())
      const one = held.get(discover.ns ?? '')
      const isShown = one !== undefined && (one.by === me || performance.now() - one.atMs > SHOWN_AFTER_MS)
      reply(
        stream,
        encodeDiscoverResponse({ status: 0, bodies: isShown ? [one.body] : [], cookie: new Uint8Array(9) })
      )
    })
  return { held, servers: [await server(0), await server(1)] }
}

it('the time from an acknowledged REGISTER to its first sight at another server is measured, and nothing is left', async t => {
  const { held, servers } = await twoServers()
  t.after(() => Promise.all(servers.map(server => server.stop())))
  const meter = new Meter()
  const turns = new Turns({ onTurn: () => {} })
  const addresses = servers.map(server => multiaddr(server.multiaddr))
  const watch = new SightWatch({ plan, namespaces: new Namespaces('7'), servers: addresses, meter, turns })
  t.after(() => watch.close())
  await watch.connect(timeLimit(10_000))
  const stopping = new AbortController()
  const running = watch.run(stopping.signal)
  t.after(() => stopping.abort())
  /** @type {number[]} in ms */
  const seen = []
  await until(() => {
    for (const { metric, outcome, data } of meter.take(0).cells) {
      assert.deepEqual([metric, outcome], ['sight', 'OK'])
      for (const [i, value] of data.values.entries()) seen.push(...Array(data.counts[i]).fill(value / 1000))
    }
    return seen.length >= 4
  })
  stopping.abort()
  await running
  // it begins with the acknowledgement, which comes here a while after the server sent it
  assert.ok(Math.min(...seen) > SHOWN_AFTER_MS / 2, `${seen}`)
  assert.equal(held.size, 0)
})

it('is for several servers, with a probe, and not for those of others that are only read from', () => {
  assert.ok(watchesSight(plan))
  assert.ok(!watchesSight({ ...plan, probeRatePerSecond: 0 }))
  assert.ok(!watchesSight({ ...plan, servers: 1 }))
  const theirs = { ...plan, servers: 1, targets: ['a', 'b'] }
  assert.ok(watchesSight(theirs))
  assert.ok(!watchesSight({ ...theirs, benchmarkType: 'DISCOVER' }))
})
