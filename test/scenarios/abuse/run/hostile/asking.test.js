import '../../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pino from 'pino'
import { HostileRun } from '../../../../../src/scenarios/abuse/run/hostile/hostile-run.js'
import { readServerOptions } from '../../../../../src/server/options.js'
import { runServer } from '../../../../../src/server/run-server.js'
import { ON_LINUX } from '../../../../acceptance/processes.js'
import { until } from '../../../../until.js'

describe('requests of hostile peers', ON_LINUX, () => {
  /** @type {Awaited<ReturnType<typeof runServer>>} */
  let server
  before(async () => {
    const options = readServerOptions({ listen: '/ip4/127.0.0.1/tcp/0', httpPort: 0, unlimitedFrom: '' })
    server = await runServer(options, { log: pino({ level: 'silent' }) })
  })
  after(() => server.stop())

  const discovers = async () => {
    const text = await (await fetch(`${server.http}/metrics`)).text()
    const counts = text.matchAll(/^rendezvous_operations_total\{type="DISCOVER",status="\w+"\} (\d+)$/gm)
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
  }

  /** @param {string} kind @param {() => boolean | Promise<boolean>} seen @param {import('node:test').TestContext} t */
  async function reaches(kind, seen, t) {
    const target = { multiaddr: server.multiaddrs[0], http: server.http, spreads: true, seed: 1 }
    const run = new HostileRun({ target, kind, times: 1 })
    t.after(() => run.stop())
    await run.prepare()
    run.begin()
    await until(seen)
    assert.equal((await run.end()).failure, null)
  }

  it('come in pieces of thousands, which the server reads', t =>
    reaches('requests', async () => (await discovers()) > 100, t))

  it('are made on hundreds of streams, whose replies nobody reads', async t => {
    const before = await discovers()
    await reaches('unread', async () => (await discovers()) > before + 100, t)
    await until(() => server.node.services.rendezvous.streams === 0)
  })
})
