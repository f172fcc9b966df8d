import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ON_LINUX } from '../../../acceptance/processes.js'
import { until } from '../../../until.js'
import { aServer, hostileRun, metricsOf } from './against-a-server.js'

describe('registrations of hostile peers', ON_LINUX, () => {
  /** @type {import('./against-a-server.js').Server} */
  let server
  before(async () => {
    server = await aServer()
  })
  after(() => server.stop())

  /** @param {string} name - of a metric */
  const metric = async name => {
    const text = await metricsOf(server)
    return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? 0)
  }

  it('are refused, of a record that is of somebody else', async t => {
    const run = await hostileRun(server, 'records', t)
    const refused = 'rendezvous_operations_total\\{type="REGISTER",status="E_NOT_AUTHORIZED"\\}'
    await until(async () => (await metric(refused)) > 2)
    assert.equal((await run.end()).failure, null)
    assert.equal(await metric('rendezvous_registrations'), 0)
  })

  it('are stored, of many peers in many namespaces', async t => {
    const run = await hostileRun(server, 'store', t)
    const peers = () => new Set(server.node.getConnections().map(({ remotePeer }) => String(remotePeer)))
    await until(async () => (await metric('rendezvous_namespaces')) > 2 && peers().size === 25)
    assert.equal((await run.end()).failure, null)
    assert.ok((await metric('rendezvous_registrations')) > 2)
  })
})
