import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ON_LINUX } from '../../../acceptance/processes.js'
import { until } from '../../../until.js'
import { aServer, hostileRun, metricsOf } from './against-a-server.js'

describe('requests of hostile peers', ON_LINUX, () => {
  /** @type {import('./against-a-server.js').Server} */
  let server
  before(async () => {
    server = await aServer()
  })
  after(() => server.stop())

  const discovers = async () => {
    const counts = (await metricsOf(server)).matchAll(
      /^rendezvous_operations_total\{type="DISCOVER",status="\w+"\} (\d+)$/gm
    )
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
  }

  /** @param {string} kind @param {() => boolean | Promise<boolean>} seen @param {import('node:test').TestContext} t */
  async function reaches(kind, seen, t) {
    const run = await hostileRun(server, kind, t)
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
