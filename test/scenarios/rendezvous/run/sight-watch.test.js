import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { multiaddr } from '@multiformats/multiaddr'
import { Deadlines, timeLimit } from '../../../../src/kit/time.js'
import { SettingsReader } from '../../../../src/libp2p/node-settings.js'
import { isCensored, Namespaces } from '../../../../src/load/registrations.js'
import { Turns } from '../../../../src/measure/client-overhead.js'
import { Meter } from '../../../../src/measure/operations.js'
import { encodeDiscoverResponse, encodeRegisterBody } from '../../../../src/protocol/rendezvous.js'
import { watchesSight } from '../../../../src/scenarios/rendezvous/peer-options.js'
import { LoadWorker } from '../../../../src/scenarios/rendezvous/worker/load-worker.js'
import { SightWatch } from '../../../../src/scenarios/rendezvous/worker/server-checks.js'
import { reply, startHostileTarget } from '../../../acceptance/hostile-target.js'
import { planned } from '../../../plan/planned.js'
import { until } from '../../../until.js'

const plan = planned({ servers: 2, store: 'postgres' })

const SHOWN_AFTER_MS = 150

/** @typedef {{ body: Uint8Array, atMs: number, by: number }} Shared */

/** Two servers: what one has acknowledged is shown by the other a while later. @param {number} [shownAfterMs] */
async function twoServers(shownAfterMs = SHOWN_AFTER_MS) {
  /** @type {Map<string, Shared>} */
  const held = new Map()
  let asked = 0
  const server = (/** @type {number} */ me) =>
    startHostileTarget(({ message, stream, honestly }) => {
      const { register, unregister, discover } = message
      if (register !== undefined)
        held.set(register.ns ?? '', { body: encodeRegisterBody(register), atMs: performance.now(), by: me })
      if (unregister !== undefined) held.delete(unregister.ns ?? '')
      if (discover === undefined) return reply(stream, honestly())
      const one = held.get(discover.ns ?? '')
      if (one !== undefined && one.by !== me) asked++
      const isShown = one !== undefined && (one.by === me || performance.now() - one.atMs > shownAfterMs)
      reply(
        stream,
        encodeDiscoverResponse({ status: 0, bodies: isShown ? [one.body] : [], cookie: new Uint8Array(9) })
      )
    })
  return { held, asked: () => asked, servers: [await server(0), await server(1)] }
}

/**
 * @param {Awaited<ReturnType<typeof twoServers>>} servers
 * @param {import('node:test').TestContext} t
 */
async function looking({ servers }, t) {
  t.after(() => Promise.all(servers.map(server => server.stop())))
  const meter = new Meter()
  const turns = new Turns({ onTurn: () => {} })
  const deadlines = new Deadlines(plan.timeoutMs)
  t.after(() => deadlines.stop())
  const addresses = servers.map(server => multiaddr(server.multiaddr))
  const components = {
    ...{ plan, namespaces: new Namespaces('7'), servers: addresses, deadlines, meter, turns },
    settings: new SettingsReader({})
  }
  const watch = new SightWatch(components)
  t.after(() => watch.close())
  await watch.connect(timeLimit(10_000))
  const stopping = new AbortController()
  t.after(() => stopping.abort())
  return { meter, deadlines, stopping, running: watch.run(stopping.signal) }
}

it('the time from an acknowledged REGISTER to its first sight at another server is measured, and nothing is left', async t => {
  const servers = await twoServers()
  const { held } = servers
  const { meter, stopping, running } = await looking(servers, t)
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

it('a look under way at the end ends as it would', async t => {
  const servers = await twoServers()
  const { meter, stopping, running } = await looking(servers, t)
  await until(() => servers.asked() > 0)
  stopping.abort()
  await running
  const [{ outcome, data }, ...more] = meter.take(0).cells
  assert.deepEqual([outcome, data.count, more], ['OK', 1, []])
  assert.ok(data.max / 1000 > SHOWN_AFTER_MS / 2, `${data.max}`)
  assert.equal(servers.held.size, 0)
})

it('a look that is broken off with its run is only known to be longer', async t => {
  const servers = await twoServers(Number.POSITIVE_INFINITY)
  const { meter, deadlines, stopping, running } = await looking(servers, t)
  await until(() => servers.asked() > 0)
  stopping.abort()
  deadlines.abortAll(new Error('interrupted'))
  await running
  const [{ outcome, data }] = meter.take(0).cells
  assert.deepEqual([isCensored(outcome), data.count], [true, 1])
  assert.equal(servers.held.size, 0)
})

it('ends with the load of its worker', { timeout: 120_000 }, async t => {
  const { servers, held } = await twoServers()
  t.after(() => Promise.all(servers.map(server => server.stop())))
  const setup = {
    ...{ index: 0, workers: 1, clients: [0, 1], allClients: 2, runId: '7', samplesFile: null },
    ...{
      plan: planned({ servers: 2, store: 'postgres', nClients: 2 }),
      servers: servers.map(server => server.multiaddr)
    },
    ...{ precise: false, expected: null, severalPerStream: true }
  }
  const worker = new LoadWorker(setup, async () => {})
  t.after(() => worker.close())
  await worker.connect(() => {})
  worker.begin('measure')
  await worker.prepare({ operations: 10, durationMs: null, minDurationMs: 0 })
  const { succeeded } = await worker.run(process.hrtime.bigint())
  assert.deepEqual(succeeded, [
    [0, 5],
    [1, 5]
  ])
  // what the clients refresh
  assert.equal(held.size, 2)
})

it('is for several servers, and not for those of others that are only read from', () => {
  assert.ok(watchesSight(plan))
  assert.ok(!watchesSight({ ...plan, servers: 1 }))
  const theirs = { ...plan, servers: 1, targets: ['a', 'b'] }
  assert.ok(watchesSight(theirs))
  assert.ok(!watchesSight({ ...theirs, benchmarkType: 'DISCOVER' }))
})
