import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { startForeignServer } from './foreign-server.js'
import { call, documentIn, newFolder } from './loadtest.js'

const TIMEOUT = { timeout: 900_000 }

/** Replies that take so long, to so many at once: 20 a second, surely. */
const SLOW = { env: { RENDEZVOUS_REPLY_DELAY: '100ms' }, hangsAfterMs: 850_000 }
const FEW_AT_ONCE = ['--maxInFlight', '2', '--warmup', '100ms']
const SHORT = ['--duration', '2s', '--runs', '2', '--steady', '2s', '--rotation', '5s']
const FEW = ['--churn', '1,every=2s,away=1s']

/** Lines that carry 10 messages of 10 kB a second to everyone, and surely not 100. */
const SIMULATED = [
  ...['--network', 'simulated', '--linkLatency', '20ms', '--upBandwidth', '500KB/s'],
  ...['--topology', 'full', '--messageBytes', '10000']
]

describe('qa', () => {
  test('rendezvous: one document of a server that carries 20 a second', TIMEOUT, async () => {
    const outputDir = await newFolder()
    // peers that come and go register for seconds
    const { multiaddr } = await startForeignServer(['--minTtl', '1s'], SLOW)
    const grid = [...'--rates 1,100 --connections 1 --initialRegistrations 0 --slo'.split(' '), 'avg < 5s']
    const args = ['qa', 'rendezvous', '--quick', '--target', multiaddr, ...grid, ...FEW_AT_ONCE]
    const { code, stdout, stderr } = await call([...args, ...SHORT, ...FEW, '--outputDir', outputDir])
    assert.equal(code, 0, stderr)
    assert.match(
      stdout,
      /^Quality of rendezvous, no baseline: sustained 1\/s \(r=1, c=1\), not 100\/s \(r=100, c=1\)\. Objective: /m
    )
    assert.match(stdout, /^\| Examined +\| +1 \| +1 \| +2 \|/m)
    const { folder, document } = await documentIn(outputDir, 'qa.json')
    assert.deepEqual(document.status, 'complete')
    assert.deepEqual(document.examined.cell, { ratePerSecond: 1, size: 1 })
    assert.deepEqual([document.steady.perSecond, document.rotation.plan.ratePerSecond], [0.5, 0.5])
    assert.ok(document.rotation.figures.staleShare >= 0)
    assert.ok(document.watched.hiccups.count > 0 && document.on.versions.node !== undefined)
    assert.ok(document.examined.machine['examined-1'].length > 0, 'load1 of every second')
    assert.equal((await readdir(join(folder, 'runs'))).length, 6)
  })

  test('gossip, simulated: the same again is held to be so, and nothing comes and goes', {
    ...TIMEOUT
  }, async () => {
    const outputDir = await newFolder()
    const qa = ['qa', 'gossip', '--quick', ...SIMULATED, '--rate', '2,100', '--nodes', '6']
    const how = ['--duration', '1s', '--runs', '3', '--steady', '1s']
    const first = await call([...qa, ...how, '--outputDir', outputDir])
    assert.equal(first.code, 0, first.stderr)
    const { folder, document } = await documentIn(outputDir, 'qa.json')
    assert.match(document.rotation.why, /--network simulated/)
    const other = await newFolder()
    const again = await call([...qa, ...how, '--baseline', folder, '--outputDir', other])
    const { held } = (await documentIn(other, 'qa.json')).document
    assert.deepEqual(held.parts.map((/** @type {any} */ { part, verdict }) => [part, verdict])[0], [
      'saturation',
      'PASS'
    ])
    assert.match(again.stdout, /^\| Churn +\| N\/A/m)
    for (const { title, before, now } of held.parts.flatMap((/** @type {any} */ { figures }) => figures))
      assert.equal(now, before, `${title}: the same seeds give the same`)
    const compared = await call(['compare', folder, (await documentIn(other, 'qa.json')).folder])
    assert.match(compared.stdout, /^\| +6 \| +100 \| +[\d.]+ \| +[\d.]+ \| +0 \|/m)
  })
})
