import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { startHttp } from '../../src/server/http.js'
import { sampleResult } from '../report/sample-result.js'
import { runCommand } from './run-command.js'

/** @typedef {import('../../src/cli/index.js').RunScenario} RunScenario */

/** @type {string} */
let base

/** For the tests of a group: outside of one, hooks run around those of all files of the process. */
const inFolder = () => {
  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'loadtest-prometheus-'))
  })
  afterEach(() => rm(base, { recursive: true }))
}

/** @param {string[]} argv @param {RunScenario} scenario */
const run = (argv, scenario) =>
  runCommand([...argv, '--outputDir', join(base, 'results')], { base, scenarioOf: () => scenario })

/** @type {RunScenario} */
const complete = async function* (plan, { id }) {
  yield { type: 'start', id, plan, run: {} }
  yield { type: 'result', result: { ...sampleResult(), id, plan } }
}

/** @param {number} port */
const scrape = port => fetch(`http://127.0.0.1:${port}/metrics`)

describe('--prometheus', () => {
  inFolder()

  test('0 takes a free port, says which, and serves on it as long as the run goes on', async () => {
    const { exitCode, stderr } = await run(['--prometheus', '0'], complete)
    assert.equal(exitCode, 0)
    const [, port] = /^metrics at http:\/\/127\.0\.0\.1:(\d+)\/metrics$/m.exec(stderr) ?? []
    await assert.rejects(scrape(Number(port)), /fetch failed/)
  })

  test('serves what the records tell', async () => {
    const taken = await startHttp({ host: '127.0.0.1', port: 0 }, {})
    await taken.stop()
    const port = Number(new URL(taken.url).port)
    /** @type {string[]} */
    const seen = []
    const { exitCode } = await run(['--prometheus', String(port)], async function* (plan, components) {
      yield { type: 'phase', name: 'measure', state: 'begin', atMs: 0 }
      const response = await scrape(port)
      seen.push(String(response.headers.get('content-type')), await response.text())
      yield* complete(plan, components)
    })
    assert.equal(exitCode, 0)
    assert.match(seen[0], /^text\/plain; version=0\.0\.4/)
    assert.match(seen[1], /^loadtest_phase\{phase="measure"\} 1$/m)
  })

  test('names a port that is in use; nothing is started or written', async () => {
    const { url, stop } = await startHttp({ host: '127.0.0.1', port: 0 }, {})
    const { port } = new URL(url)
    const { exitCode, stderr } = await run(['--prometheus', port], () => {
      throw new Error('started')
    })
    await stop()
    assert.equal(exitCode, 2)
    assert.equal(
      stderr,
      `1 problem:\n  --prometheus ${port}  is in use on 127.0.0.1: choose another port, or 0 for any that is free\nSee node index.js --help\n`
    )
    assert.deepEqual(await readdir(base), [])
  })

  test('serves no longer when the folder of the run cannot be made', async () => {
    await writeFile(join(base, 'results'), '')
    const { url, stop } = await startHttp({ host: '127.0.0.1', port: 0 }, {})
    await stop()
    const { port } = new URL(url)
    const { exitCode } = await run(['--prometheus', port], complete)
    assert.equal(exitCode, 2)
    await assert.rejects(scrape(Number(port)), /fetch failed/)
  })
})
