import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { cp, readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { convertFormerScenario } from '../../src/report/read-result.js'
import { loadScenario } from '../../src/scenarios/index.js'
import { isAsRecorded } from '../recorded.js'
import { readResult } from '../scenarios.js'
import { temporaryFolder } from '../temporary-folder.js'
import { runCommand } from './run-command.js'

/**
 * What version 0.1.0 left of each scenario and study, in fixtures/results-0.1.0: all small, one with agents, one with a server in Docker, one
 * that was interrupted. Later versions read them, and their figures stay what they were.
 */
const KEPT = fileURLToPath(new URL('../../fixtures/results-0.1.0', import.meta.url))

const base = temporaryFolder()
await cp(KEPT, base, { recursive: true })

/** Not read any more. */
const UNREAD = 'abuse'

const RUNS = (await readdir(KEPT, { recursive: true }))
  .filter(path => basename(path) === 'result.json' && !path.startsWith(UNREAD))
  .map(dirname)
  .sort()
const FOLDERS = (await readdir(KEPT)).filter(folder => folder !== UNREAD).sort()

/** Options that went, with what rerun says of values that asked for nothing but what is done now. @type {Readonly<Record<string, RegExp>>} */
const GONE = { fidelity: /(?:)/, ideal: /(?:)/ }

/** @param {string} folder @returns {Promise<any>} */
const stored = async folder => JSON.parse(await readFile(join(KEPT, folder, 'result.json'), 'utf8'))

/** @param {...string} argv */
async function call(...argv) {
  /** @type {any[]} */
  const plans = []
  const scenarioOf = () =>
    /** @type {any} */ (
      async function* (/** @type {any} */ plan, /** @type {{ id: string }} */ { id }) {
        plans.push(plan)
        yield { type: 'start', id, plan, run: {} }
        yield { type: 'result', result: { ...(await readResult(join(base, RUNS[0]))), id, plan } }
      }
    )
  return { ...(await runCommand(argv, { base, scenarioOf })), plans }
}

/** Figures of a result by name. @param {string} folder */
async function figuresOf(folder) {
  const { scenario: name, outcome, run } = await readResult(join(base, folder))
  const scenario = /** @type {any} */ (await loadScenario(name))
  const figures = scenario.figures.map((/** @type {any} */ figure) => [
    figure.name,
    figure.read(outcome, run).value
  ])
  return Object.fromEntries(figures.filter((/** @type {[string, unknown]} */ [, value]) => value !== null))
}

describe('of what version 0.1.0 left', () => {
  test('the figures are what they were', async () => {
    const figures = await Promise.all(RUNS.map(async folder => [folder, await figuresOf(folder)]))
    isAsRecorded('results-0.1.0.json', Object.fromEntries(figures))
  })

  test('each is listed', async () => {
    const { exitCode, stdout, stderr } = await call('list', base)
    assert.equal(exitCode, 0, stderr)
    for (const folder of FOLDERS) assert.match(stdout, new RegExp(`\\| ${folder} +\\|`))
  })

  test('what is not read any more says what it is, and what measures it now', async () => {
    const { exitCode, stderr } = await call('report', join(base, UNREAD))
    assert.equal(exitCode, 2)
    assert.match(stderr, /is a result of abuse, a command of an earlier release.*rendezvous --hostile/)
    assert.match((await call('list', base)).stdout, /unreadable: is a result of abuse/)
  })

  for (const folder of FOLDERS)
    test(`${folder}: its reports can be made again`, async () => {
      const { exitCode, stderr } = await call('report', join(base, folder))
      assert.equal(exitCode, 0, stderr)
      const files = await readdir(join(base, folder), { recursive: true })
      assert.ok(
        files.some(file => file.endsWith('.html')),
        files.join(' ')
      )
    })

  for (const folder of RUNS)
    test(`${folder}: rerun has its plan`, async () => {
      const { plan } = convertFormerScenario(await stored(folder))
      const { exitCode, stderr, plans } = await call(
        'rerun',
        join(base, folder),
        '--outputDir',
        join(base, 'again')
      )
      if (plan.commandLine !== undefined) {
        assert.equal(exitCode, 2)
        assert.match(stderr, /is of a scenario of your own: node index\.js run /)
        return
      }
      assert.equal(plans.length, 1, stderr)
      const changed = Object.keys(plan).filter(key => !isDeepStrictEqual(plans[0][key], plan[key]))
      for (const key of changed) assert.match(stderr, GONE[key] ?? /never said/, `${key} of ${folder}`)
    })

  test('runs are compared by the same numbers', async () => {
    const { exitCode, stdout, stderr } = await call(
      'compare',
      join(base, 'ab', 'a'),
      join(base, 'ab', 'b'),
      '--json'
    )
    assert.equal(exitCode, 0, stderr)
    const [, { against }] = JSON.parse(stdout).sides
    isAsRecorded(
      'compared-0.1.0.json',
      Object.fromEntries(
        against.metrics.map((/** @type {any} */ { metric, pairs }) => [
          metric,
          pairs.map((/** @type {any} */ { base, candidate }) => ({
            base: base?.value ?? null,
            candidate: candidate?.value ?? null
          }))
        ])
      )
    )
  })
})
