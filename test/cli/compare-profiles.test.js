import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { main } from '../../src/cli/index.js'
import { formatResult } from '../../src/report/result-folder.js'
import { loadScenario } from '../../src/scenarios/index.js'
import { collector, sampleResult } from '../report/sample-result.js'
import { aProfileResult } from '../run/a-profile-result.js'
import { aGossipResult } from '../scenarios/gossip/a-gossip-result.js'
import { temporaryFolder } from '../temporary-folder.js'

const base = temporaryFolder()
before(async () => {
  const unsampled = aProfileResult({ id: 'unsampled' })
  const results = [
    aProfileResult({ id: 'signed' }),
    aProfileResult({ id: 'unsigned', verifyMicros: 0 }),
    { ...unsampled, outcome: { ...unsampled.outcome, profile: null } },
    { ...sampleResult(), id: 'rendezvous' },
    { ...aGossipResult(), id: 'plain', plan: { ...unsampled.plan, profiled: undefined } }
  ]
  for (const result of results) {
    await mkdir(join(base, result.id))
    await writeFile(join(base, result.id, 'result.json'), formatResult(result))
  }
})

/** @param {string[]} names @param {...string} options */
async function compare(names, ...options) {
  const [stdout, stderr] = [collector(), collector()]
  const words = names.map(name => join(base, name))
  const code = await main(
    ['compare', ...words, ...options],
    /** @type {any} */ ({ stdout, stderr, findScenario: loadScenario })
  )
  return { code, stdout: stdout.text(), stderr: stderr.text() }
}

describe('compare, of two profiles', () => {
  test('shows by category what CPU time went to', async () => {
    const { code, stdout } = await compare(['signed', 'unsigned'])
    assert.equal(code, 0)
    assert.match(stdout, /^A is signed, B is unsigned\./m)
    assert.match(stdout, /^\| signature +\| +37\.5 \| +0 \| +-37\.5 \|/m)
  })

  test('makes a page of it', async () => {
    const page = join(base, 'differences.html')
    const { code, stderr } = await compare(['signed', 'unsigned'], '--page', page)
    assert.deepEqual([code, stderr], [0, `written: ${page}\n`])
    assert.match(await readFile(page, 'utf8'), /CPU time by category/)
  })

  test('prints it as JSON', async () => {
    const { stdout } = await compare(['signed', 'unsigned'], '--json')
    const [first] = JSON.parse(stdout)
    assert.deepEqual([first.category, first.selfPoints], ['signature', -37.5])
  })

  test('are told from runs that were not sampled', async () => {
    const { code, stderr } = await compare(['signed', 'unsampled'])
    assert.equal(code, 2)
    assert.match(stderr, /unsampled {2}contains no CPU profile/)
  })
})
