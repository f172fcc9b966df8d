import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertComplete, assertSumsAgree, operation } from '../acceptance/consistent.js'
import { PAIRS, start, TIMEOUT } from '../acceptance/loadtest.js'
import { ON_LINUX, send } from '../acceptance/processes.js'
import { responseMs, samplesIn } from '../acceptance/samples.js'

const CLIENTS = 2

/** A run whose server stands still for 2 s of it. @param {string[]} args */
async function stalled(...args) {
  const loadtest = start([
    ...['--benchmarkType', 'DISCOVER', '--nClients', String(CLIENTS), '--samples'],
    ...['--discoverLimit', '1', '--warmup', '200ms', '--probeRate', '0', ...args]
  ])
  await loadtest.measured()
  const server = await loadtest.server()
  send(server, 'SIGSTOP')
  await sleep(2000)
  send(server, 'SIGCONT')
  const ended = await loadtest.ended
  assertComplete(ended)
  const { rt, errors, outcomes, count } = operation(ended.result, 'DISCOVER')
  assert.equal(errors, 0, JSON.stringify(outcomes))
  assert.ok(Number(rt.all.max?.ms) >= 1500, `max ${rt.all.max?.ms} ms`)
  return { count, rt, samples: await samplesIn(ended.folder) }
}

describe('a server that stands still for 2 s', { ...ON_LINUX, ...PAIRS }, () => {
  test('open model: everybody who would have asked meanwhile waits, and p99 shows it', TIMEOUT, async () => {
    const { count, rt, samples } = await stalled('--rate', '50', '--duration', '21s')
    assert.equal(count, 1050)
    assert.ok(Number(rt.all.p99?.ms) >= 1500, `p99 ${rt.all.p99?.ms} ms`)
    // those due in the first quarter of the stall, at least
    assert.ok(samples.filter(sample => responseMs(sample) >= 1500).length >= 20)
  })

  test('closed model: only one operation of each client waits, and p99 hides it', TIMEOUT, async () => {
    // as many as p99 needs, however long the machine takes for them, and no faster than clients that think
    const { rt, samples } = await stalled(
      ...['--benchmarkRuns', '1020', '--minDuration', '0'],
      '--thinkTime',
      '10ms'
    )
    assert.ok(samples.filter(sample => responseMs(sample) >= 1500).length <= CLIENTS)
    assert.ok(Number(rt.all.p99?.ms) < Number(rt.all.max?.ms) / 4, `p99 ${rt.all.p99?.ms} ms`)
  })
})

test('a server that serves everything, but too late, is not taken for one that is gone: the run goes on to its end', {
  ...TIMEOUT,
  ...ON_LINUX
}, async () => {
  const loadtest = start(
    [
      ...['--benchmarkType', 'DISCOVER', '--nClients', String(CLIENTS), '--rate', '5', '--duration', '8s'],
      ...['--timeout', '2s', '--warmup', '0', '--probeRate', '0', '--initialRegistrations', '0'],
      ...['--server', 'process']
    ],
    { env: { RENDEZVOUS_REPLY_DELAY: '3s' } }
  )
  const { code, result, stderr } = await loadtest.ended
  assert.equal(result.status, 'complete', stderr)
  assert.deepEqual(operation(result, 'DISCOVER').outcomes, { TIMEOUT: 40 })
  // not one succeeded
  assert.equal(code, 1)
  assertSumsAgree(result)
})
