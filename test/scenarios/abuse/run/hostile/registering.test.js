import '../../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pino from 'pino'
import { HostileRun } from '../../../../../src/scenarios/abuse/run/hostile/hostile-run.js'
import { readServerOptions } from '../../../../../src/server/options.js'
import { runServer } from '../../../../../src/server/run-server.js'
import { ON_LINUX } from '../../../../acceptance/processes.js'
import { until } from '../../../../until.js'

describe('registrations of hostile peers', ON_LINUX, () => {
  /** @type {Awaited<ReturnType<typeof runServer>>} */
  let server
  before(async () => {
    const options = readServerOptions({ listen: '/ip4/127.0.0.1/tcp/0', httpPort: 0, unlimitedFrom: '' })
    server = await runServer(options, { log: pino({ level: 'silent' }) })
  })
  after(() => server.stop())

  /** @param {string} name - of a metric */
  const metric = async name => {
    const text = await (await fetch(`${server.http}/metrics`)).text()
    return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? 0)
  }

  /** @param {string} kind @param {import('node:test').TestContext} t */
  const doing = async (kind, t) => {
    const target = { multiaddr: server.multiaddrs[0], http: server.http, spreads: true, seed: 1 }
    const run = new HostileRun({ target, kind, times: 1 })
    t.after(() => run.stop())
    await run.prepare()
    run.begin()
    return run
  }

  it('are refused, of a record that is of somebody else', async t => {
    const run = await doing('records', t)
    const refused = 'rendezvous_operations_total\\{type="REGISTER",status="E_NOT_AUTHORIZED"\\}'
    await until(async () => (await metric(refused)) > 2)
    assert.equal((await run.end()).failure, null)
    assert.equal(await metric('rendezvous_registrations'), 0)
  })

  it('are stored, of many peers in many namespaces', async t => {
    const run = await doing('store', t)
    await until(async () => (await metric('rendezvous_namespaces')) > 2)
    assert.equal((await run.end()).failure, null)
    const peers = new Set(server.node.getConnections().map(({ remotePeer }) => String(remotePeer)))
    assert.equal(peers.size, 25)
    assert.ok((await metric('rendezvous_registrations')) > 2)
  })
})
