import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { serveDashboard, serveLocally } from '../../src/cli/outputs.js'
import { descriptionSchema } from '../../src/report/schema.js'
import { startHttp } from '../../src/server/http.js'
import { sampleDescription } from '../report/sample-description.js'
import { sampleResult } from '../report/sample-result.js'
import { emptyBeforeEach, temporaryFolder } from '../temporary-folder.js'
import { runCommand } from './run-command.js'

/** @typedef {import('../../src/cli/index.js').RunScenario} RunScenario */

const base = temporaryFolder()

/** @param {string[]} argv @param {RunScenario} scenario */
const run = (argv, scenario) =>
  runCommand([...argv, '--outputDir', join(base, 'results')], { base, scenarioOf: () => scenario })

/** @type {RunScenario} */
const complete = async function* (plan, { id }) {
  yield { type: 'start', id, plan, run: {} }
  yield { type: 'phase', name: 'measure', state: 'begin', atMs: 3 }
  yield { type: 'result', result: { ...sampleResult(), id, plan } }
}

/** @param {string} stderr */
const addressIn = stderr =>
  /^dashboard at (http:\/\/127\.0\.0\.1:\d+\/live\/[\w-]{32}\/)$/m.exec(stderr)?.[1] ?? ''

/** What stands in an event stream. @param {string} text */
const linesOf = text => [...text.matchAll(/^data: (.*)$/gm)].map(([, line]) => JSON.parse(line))

/** @param {{ url: string | null } | { problem: unknown }} served */
const opened = served => {
  assert.ok('stop' in served)
  return /** @type {import('../../src/cli/outputs.js').Dashboard & { url: string }} */ (served)
}

describe('--dashboard', () => {
  emptyBeforeEach(base)

  test('says where it is, with --quiet too, and ends with the run', async () => {
    for (const more of [[], ['--quiet'], ['--json']]) {
      const { exitCode, stderr } = await run(['--dashboard', ...more], complete)
      assert.equal(exitCode, 0, stderr)
      assert.notEqual(addressIn(stderr), '', stderr)
      await assert.rejects(fetch(addressIn(stderr)), /fetch failed/)
    }
  })

  test('of a study is one, of all of its runs', async () => {
    const { exitCode, stderr } = await run(['--dashboard', '--runs', '2'], complete)
    assert.equal(exitCode, 0, stderr)
    assert.equal(stderr.match(/^dashboard at /gm)?.length, 1)
    await assert.rejects(fetch(addressIn(stderr)), /fetch failed/)
  })

  test('names a port that is in use, as --prometheus does, of a run and of a study: exit code 2, nothing is started or written', async t => {
    const { url, stop } = await startHttp({ host: '127.0.0.1', port: 0 }, {})
    t.after(stop)
    const { port } = new URL(url)
    for (const [flag, ...more] of [['--dashboard'], ['--dashboard', '--runs', '2'], ['--prometheus']]) {
      const { exitCode, stderr } = await run([flag, port, ...more], () => {
        throw new Error('started')
      })
      assert.equal(exitCode, 2)
      const problem = `${flag} ${port}  is in use on 127.0.0.1: choose another port, or 0 for any that is free`
      assert.equal(stderr.split('\n')[1], `  ${problem}`)
    }
    assert.deepEqual(await readdir(base), [])
  })
})

describe('a dashboard', () => {
  emptyBeforeEach(base)

  test('sends the state of a run: as it is when a page asks, and the last one', async t => {
    const { url, sinks, stop } = opened(await serveDashboard(0))
    t.after(stop)
    const line = (/** @type {object} */ more) => ({ at: new Date(0).toISOString(), run: 'r', ...more })
    await sinks[0].write(line({ type: 'start', schemaVersion: 1, scenario: 'x', plan: {}, units: {} }))
    const response = await fetch(`${url}records`)
    assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8')
    await sinks[0].write(line({ type: 'warning', code: 'A', message: 'one\n\ndata: two' }))
    const [, text] = await Promise.all([sinks[0].close(), response.text()])
    const states = linesOf(text)
    for (const { description } of states) descriptionSchema.parse(description)
    assert.deepEqual(
      states.map(({ over, description: { warnings } }) => [over, warnings.length]),
      [
        [false, 0],
        [true, 1]
      ]
    )
    assert.equal(states[1].description.warnings[0].text, 'one\n\ndata: two')
    sinks[0].describe?.('r', sampleDescription)
  })

  test('is shown to nobody who does not know its address, and to no page of others', async t => {
    const { url, stop } = opened(await serveDashboard(0))
    t.after(stop)
    const { origin, pathname } = new URL(url)
    const status = async (/** @type {string} */ address, headers = {}) => {
      const response = await fetch(address, { headers, redirect: 'manual' })
      await response.body?.cancel()
      return response.status
    }
    assert.equal(await status(url), 200)
    assert.equal(await status(`${url}records`, { origin, 'sec-fetch-site': 'same-origin' }), 200)
    for (const path of ['/', '/live/', `/live/${'A'.repeat(32)}/`, `/live/${'A'.repeat(32)}/records`])
      assert.equal(await status(`${origin}${path}`), 404)
    for (const other of [
      { origin: 'http://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'null' }
    ]) {
      assert.equal(await status(url, other), 403)
      assert.equal(await status(`${origin}${pathname}records`, other), 403)
    }
    const another = opened(await serveDashboard(0))
    t.after(another.stop)
    assert.notEqual(new URL(another.url).pathname, pathname)
  })

  test('tells browsers to keep nothing, to show it in no frame, and its address to nobody', async t => {
    const { url, stop } = opened(await serveDashboard(0))
    t.after(stop)
    const { headers } = await fetch(url)
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
    assert.equal(headers.get('cache-control'), 'no-store')
  })
})

/** @param {number} port */
const scrape = port => fetch(`http://127.0.0.1:${port}/metrics`)

describe('--prometheus', () => {
  emptyBeforeEach(base)

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

describe('what is served on this machine while a command goes on', () => {
  test('says what the system has against any other', async () => {
    const served = await serveLocally({ flag: '--prometheus', port: 70_000 }, {})
    assert.ok('problem' in served)
    assert.match(served.problem.allowed, /^cannot be listened on: .*70000/)
  })
})
