import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, test } from 'node:test'
import { assertComplete } from '../acceptance/consistent.js'
import { QUICK, run, TIMEOUT } from '../acceptance/loadtest.js'
import { until } from '../until.js'

const LOOK_EVERY_MS = 100

/** What is to be found while operations are measured. */
const WHILE_MEASURING = Object.freeze([
  /^loadtest_phase\{phase="measure"\} 1$/m,
  /^loadtest_operations_total\{type="DISCOVER",outcome="OK"\} [1-9]/m,
  /^loadtest_response_time_average_seconds\{type="DISCOVER"\} \d.*[1-9]/m,
  /^loadtest_throughput_operations_per_second\{type="DISCOVER"\} [\d.]*[1-9]/m,
  /^loadtest_server_memory_bytes [1-9]\d{6}/m,
  /^loadtest_generator_utilization_ratio\{worker="0"\} [\d.]*[1-9]/m
])

/**
 * Scrapes a run that goes on until everything stands in one and the same text.
 *
 * @param {string} url
 * @param {readonly RegExp[]} patterns
 * @param {Promise<unknown>} ended
 */
async function scrapedWith(url, patterns, ended) {
  let lacking = patterns
  let over = false
  const noteEnd = () => {
    over = true
  }
  ended.then(noteEnd, noteEnd)
  const seen = async () => {
    const response = await fetch(url).catch(() => null)
    assert.ok(response || !over, `the run ended before there was ${lacking.join(', ')}`)
    const text = (await response?.text()) ?? ''
    lacking = patterns.filter(pattern => !pattern.test(text))
    return lacking.length === 0
  }
  await until(seen, { everyMs: LOOK_EVERY_MS })
}

/** A port that nobody has. */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  server.close()
  await once(server, 'close')
  return port
}

describe('--prometheus', () => {
  // that it finds one itself is told in test/cli/outputs.test.js
  test("a port: the run's own metrics while it goes on, where it says", TIMEOUT, async () => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}/metrics`
    const running = run([
      ...QUICK,
      ...['--nClients', '2', '--benchmarkType', 'DISCOVER', '--duration', '4s', '--prometheus', String(port)],
      ...['--thinkTime', '50ms', '--initialRegistrations', '10', '--threshold', 'errorRate < 50%']
    ])
    await scrapedWith(url, [/^loadtest_phase\{phase="\w+"\} 1$/m], running)
    await scrapedWith(url, WHILE_MEASURING, running)
    const ended = await running
    assertComplete(ended)
    assert.ok(ended.stderr.split('\n').includes(`metrics at ${url}`), ended.stderr)
    await assert.rejects(fetch(url))
  })
})
