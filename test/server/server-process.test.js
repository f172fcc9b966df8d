import './harness.js'
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { readServerOptions } from '../../src/server/options.js'
import { NODE_FLAGS, runServerProcess, SEMI_SPACE_MB } from '../../src/server/server-process.js'
import { startServerProcess } from '../../src/target/process-target.js'
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
  const ended = runServerProcess(options, { write: line => lines.push(line) })
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

test('new objects of a Node with these flags have no more than is said, in either half', () => {
  // the median: while Node 24 collects, there may be some pages more for a moment
  const program = `
    const v8 = require('node:v8')
    const sizes = []
    for (let i = 0; i < 100; i++) {
      const kept = Array.from({ length: 50_000 }, (_, j) => [j])
      if (kept.length > 0) sizes.push(v8.getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size)
    }
    console.log(sizes.sort((a, b) => a - b)[50])`
  const bytes = Number(execFileSync(process.execPath, [...NODE_FLAGS, '-e', program], { encoding: 'utf8' }))
  assert.ok(bytes > SEMI_SPACE_MB * 2 ** 20 && bytes <= 2 * SEMI_SPACE_MB * 2 ** 20, `${bytes} bytes`)
})

test('the server of a run has them', { skip: process.platform !== 'linux' }, async () => {
  const server = await startServerProcess({
    flags: ['--listen=/ip4/127.0.0.1/tcp/0', '--httpHost=127.0.0.1', '--httpPort=0', '--logLevel=warn'],
    signal: AbortSignal.timeout(30_000),
    onFailed: () => {}
  })
  try {
    const started = readFileSync(`/proc/${server.pid}/cmdline`, 'utf8').split('\0')
    assert.deepEqual(started.slice(1, 1 + NODE_FLAGS.length), NODE_FLAGS)
  } finally {
    await server.stop()
  }
})
