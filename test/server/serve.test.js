import './harness.js'
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { readServerOptions } from '../../src/server/options.js'
import { serve } from '../../src/server/server-process.js'
import { until } from '../until.js'

const SIGNALS = /** @type {const} */ (['SIGTERM', 'SIGINT', 'disconnect'])

/** @param {string} host @param {number} port @returns {Promise<boolean>} */
const listens = (host, port) =>
  new Promise(resolve => {
    const socket = connect(port, host, () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })

/** @param {import('node:test').TestContext} t @param {object} flags */
async function serving(t, flags) {
  const before = SIGNALS.map(signal => new Set(process.listeners(/** @type {any} */ (signal))))
  /** @type {string[]} */
  const lines = []
  const options = readServerOptions({ listen: '/ip4/127.0.0.1/tcp/0', logLevel: 'silent', ...flags })
  const ended = serve(options, { write: line => lines.push(line) })
  const own = SIGNALS.map((signal, i) =>
    process.listeners(/** @type {any} */ (signal)).filter(listener => !before[i].has(listener))
  )
  t.after(() =>
    own.forEach((listeners, i) => {
      for (const listener of listeners) process.removeListener(SIGNALS[i], /** @type {any} */ (listener))
    })
  )
  await until(() => lines.length > 0)
  const [, address, http] = lines[0].trim().split(' ')
  const [, , host, , port] = address.split('/')
  const there = () => listens(host, Number(port))
  return {
    lines,
    http,
    ended,
    there,
    stop(/** @type {number} */ by) {
      for (const listener of own[by]) /** @type {() => void} */ (listener)()
    }
  }
}

describe('a server that is served', () => {
  for (const [by, name] of SIGNALS.entries())
    test(`of the perf protocol says where it is, and stops on ${name}`, async t => {
      const { lines, http, ended, there, stop } = await serving(t, { perf: true })
      assert.match(lines.join(''), /^ready \/ip4\/127\.0\.0\.1\/tcp\/\d+\/p2p\/\w+\n$/)
      assert.deepEqual([http, await there()], [undefined, true])
      stop(by)
      await ended
      assert.equal(await there(), false)
    })

  test('of rendezvous says where its second port is, too', async t => {
    const { http, ended, there, stop } = await serving(t, { httpPort: 0 })
    assert.equal((await fetch(`${http}/healthz`)).status, 200)
    assert.equal(await there(), true)
    stop(0)
    await ended
    await assert.rejects(fetch(`${http}/healthz`))
    assert.equal(await there(), false)
  })
})
