import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { skipWithoutBrowser, withPage } from './browser.js'
import { call, drawn, INDEX, newFolder, PAIRS, startProgram } from './loadtest.js'

const TIMEOUT = { timeout: 900_000 }

/** Replies that take so long, to so many at once: 20 a second, surely. */
const SLOW = { env: { RENDEZVOUS_REPLY_DELAY: '200ms' }, hangsAfterMs: 850_000 }
const FEW_AT_ONCE = [
  '--maxInFlight',
  '4',
  '--warmup',
  '100ms',
  '--probeRate',
  '0',
  '--initialRegistrations',
  '10'
]
const SHORT = ['--duration', '4s', '--runs', '2', '--steady', '4s', '--rotation', '5s']
const FEW = ['--stable', '3', '--ephemeral', '2']

/** Lines that carry 10 messages of 10 kB a second to everyone, and surely not 100. */
const SIMULATED = [
  ...['--network', 'simulated', '--linkLatency', '20ms', '--upBandwidth', '500KB/s'],
  ...['--topology', 'full', '--messageBytes', '10000']
]

/** @param {string} outputDir */
async function kept(outputDir) {
  const [name] = await readdir(outputDir)
  const folder = join(outputDir, name)
  return { folder, document: JSON.parse(await readFile(join(folder, 'qa.json'), 'utf8')) }
}

describe('qa', PAIRS, () => {
  test('rendezvous: one document of a server that carries 20 a second', TIMEOUT, async () => {
    const outputDir = await newFolder()
    const grid = ['--rates', '1,100', '--connections', '1', '--server', 'process']
    const args = ['qa', 'rendezvous', '--quick', ...grid, ...FEW_AT_ONCE, ...SHORT, ...FEW]
    const program = startProgram(INDEX, [...args, '--outputDir', outputDir], SLOW)
    const { code, stdout, stderr } = await program.ended
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^\| r=100 \| ✗ \d+ of 400 \|$/m)
    assert.match(stdout, /\(r=1, c=1\) was run 2 times: (p50|Without success)/)
    const { folder, document } = await kept(outputDir)
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
    const how = ['--duration', '4s', '--runs', '3', '--steady', '4s']
    const first = await call([...qa, ...how, '--outputDir', outputDir])
    assert.equal(first.code, 0, first.stderr)
    const { folder, document } = await kept(outputDir)
    assert.match(document.rotation.why, /--network simulated/)
    const other = await newFolder()
    const again = await call([...qa, ...how, '--baseline', folder, '--outputDir', other])
    const { held } = (await kept(other)).document
    assert.deepEqual(held.parts.map((/** @type {any} */ { part, verdict }) => [part, verdict])[0], [
      'saturation',
      'PASS'
    ])
    assert.match(again.stdout, /^\| Some come and go +\| N\/A/m)
    for (const { title, before, now } of held.parts.flatMap((/** @type {any} */ { figures }) => figures))
      assert.equal(now, before, `${title}: the same seeds give the same`)
    const compared = await call(['compare', folder, (await kept(other)).folder])
    assert.match(compared.stdout, /^\| +6 \| +100 \| .* \| +1\.00 \|/m)
    if (skipWithoutBrowser('the page of qa').skip) return
    await drawn(folder)
    await withPage(join(folder, 'report.html'), { width: 1280, scheme: 'light' }, async (page, seen) => {
      assert.deepEqual([seen.complaints, seen.requests], [[], []])
      assert.ok((await page.locator('#examined figure').count()) >= 3)
    })
  })
})
