import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { formatAgentTable } from '../../src/agents/agent-list.js'
import { RendezvousError } from '../../src/client/errors.js'
import { formatResult } from '../../src/report/result-folder.js'
import { collector, sampleResult } from '../report/sample-result.js'
import { liveProgress } from '../report/shown.js'
import { temporaryFolder } from '../temporary-folder.js'
import { runCommand } from './run-command.js'

/** It clears the screen, colours what follows, and turns it round. */
const EVIL = '\u001b[2J\u001b[31m\u202egnp.exe\u009b1m\u0007\rx'
const SHOWN = String.raw`\u001b[2J\u001b[31m\u202egnp.exe\u009b1m\u0007\u000dx`

const obeyed = /[^\P{C}\n\t]/u

/** Markdown may have brackets escaped. @param {string} text */
function isVisible(text) {
  assert.doesNotMatch(text, obeyed)
  assert.ok(text.replaceAll('\\[', '[').includes(SHOWN), text)
}

const base = temporaryFolder()

describe('what others wrote is shown with nothing in it that a terminal obeys', () => {
  const results = join(base, 'results')
  /** @param {string[]} argv @param {import('../../src/cli/index.js').RunScenario} [scenario] */
  const call = (argv, scenario = async function* () {}) =>
    runCommand(argv, { base, scenarioOf: () => scenario })
  const sample = sampleResult()
  const evil = {
    ...sample,
    status: /** @type {const} */ ('partial'),
    reason: { code: 'SERVER_DIED', message: EVIL },
    run: { ...sample.run, machine: { ...sample.run.machine, cpu: EVIL } },
    outcome: { ...sample.outcome, target: { ...sample.outcome.target, kind: 'address', multiaddr: EVIL } }
  }

  before(async () => {
    for (const [name, result] of /** @type {[string, any][]} */ ([
      ['partial', evil],
      ['one', { ...evil, status: 'complete', reason: null }],
      ['other', { ...sample, id: EVIL }]
    ])) {
      await mkdir(join(results, name), { recursive: true })
      await writeFile(join(results, name, 'result.json'), formatResult(result))
    }
    await mkdir(join(results, 'ab'))
    const document = { schemaVersion: 1, startedAt: '2026-11-20T07:12:00.000Z', status: 'partial', pairs: [] }
    const arm = { label: EVIL, plan: sample.plan }
    await writeFile(
      join(results, 'ab', 'ab.json'),
      JSON.stringify({
        ...document,
        reason: { code: EVIL, message: EVIL },
        arms: { a: arm, b: arm },
        failOn: []
      })
    )
    await mkdir(join(results, 'broken'))
    await writeFile(join(results, 'broken', 'result.json'), `"${EVIL}`)
  })

  test('by report, and in the markdown it writes', async () => {
    const { stdout } = await call(['report', join(results, 'partial')])
    isVisible(stdout)
    isVisible(await readFile(join(results, 'partial', 'report.md'), 'utf8'))
  })

  test('by list, whose --json is what it was', async () => {
    const { stdout } = await call(['list', results])
    isVisible(stdout)
    const { stdout: json } = await call(['list', results, '--json'])
    assert.doesNotMatch(json, obeyed)
    const rows = JSON.parse(json)
    assert.ok(rows.some((/** @type {any} */ { what }) => what.includes(EVIL)))
  })

  test('by compare', async () => {
    const { stdout, exitCode } = await call(['compare', join(results, 'other'), join(results, 'one')])
    assert.equal(exitCode, 0)
    isVisible(stdout)
  })

  test('in what is refused', async () => {
    isVisible((await call(['--target', EVIL])).stderr)
    isVisible((await call(['report', join(base, EVIL)])).stderr)
  })

  test('while a run goes on, and of what it fails with', async () => {
    const { stderr } = await call(
      ['--duration', '1s', '--outputDir', join(base, 'own')],
      async function* (plan, { id }) {
        yield { type: 'start', id, plan, run: evil.run }
        yield { type: 'phase', name: 'setup', state: 'begin', atMs: 0 }
        yield { type: 'phase', name: 'setup', state: 'done', detail: EVIL, atMs: 1 }
        yield { type: 'result', result: { ...evil, id } }
      }
    )
    isVisible(stderr)
    const thrown = await call(['--duration', '1s', '--outputDir', join(base, 'own')], () => {
      throw new Error(EVIL)
    })
    isVisible(thrown.stderr)
  })

  test('on the line that moves', () => {
    const stream = Object.assign(collector(), {
      isTTY: true,
      columns: 200,
      cursorTo() {},
      clearLine() {},
      moveCursor() {}
    })
    const progress = liveProgress({ stream, version: '0' })
    const at = { atMs: 0 }
    progress.add({ type: 'start', id: 'x', plan: sample.plan, run: evil.run })
    progress.add({ type: 'phase', name: 'setup', state: 'begin', ...at })
    progress.add({ type: 'phase', name: 'setup', state: 'done', detail: EVIL, ...at })
    progress.close()
    assert.ok(stream.text().includes(SHOWN))
  })

  test('of agents on a bus, each in a line', () => {
    const card = {
      id: 'a',
      host: `${EVIL}\n| b | mine |`,
      address: EVIL,
      tags: [EVIL],
      cores: 1,
      memoryBytes: 1e9
    }
    const table = formatAgentTable([
      /** @type {any} */ ({ ...card, version: EVIL, node: EVIL, clock: null, busy: null })
    ])
    isVisible(table)
    assert.equal(table.split('\n').length, 3)
  })

  test('of what a server answers', () =>
    isVisible(new RendezvousError('REGISTER', { status: 200, statusText: EVIL }).message))
})
