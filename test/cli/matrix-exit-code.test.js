import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { startHttp } from '../../src/server/http.js'
import { sampleResult } from '../report/sample-result.js'
import { judgeAll } from '../scenarios.js'
import { emptyBeforeEach, temporaryFolder } from '../temporary-folder.js'
import { runCommand } from './run-command.js'

/**
 * @typedef {import('../../src/cli/index.js').RunScenario} RunScenario
 * @typedef {import('../../src/report/schema.js').Result} Result
 */

const base = temporaryFolder()

const inFolder = () =>
  emptyBeforeEach(base, async () => {
    await writeFile(join(base, 'load.yaml'), 'title: Load\nvary: { nClients: [1, 2, 3] }\n')
  })

/**
 * A scenario whose result is judged as that of a real one.
 *
 * @param {(nClients: number) => Parameters<typeof sampleResult>[0]} partsOf
 * @returns {RunScenario}
 */
const giving = partsOf =>
  async function* (plan, { id }) {
    const result = sampleResult(partsOf(plan.nClients))
    const thresholds = judgeAll(plan.thresholds, result.outcome)
    yield { type: 'result', result: { ...result, plan, id, outcome: { ...result.outcome, thresholds } } }
  }

/** @param {string[]} argv @param {RunScenario} [scenario] */
const matrix = (argv, scenario = giving(() => ({}))) =>
  runCommand(['matrix', join(base, 'load.yaml'), ...argv, '--outputDir', join(base, 'results')], {
    base,
    scenarioOf: () => scenario
  })

const THRESHOLD = ['--threshold', 'REGISTER.p50 < 10ms']

/** @param {string} code @returns {Parameters<typeof sampleResult>[0]} */
const ended = code => ({ result: { status: 'partial', reason: { code, message: 'it ended' } } })

/** @param {number} clients @param {Parameters<typeof sampleResult>[0]} parts */
const at = (clients, parts) => giving(nClients => (nClients === clients ? parts : {}))

const NOT_SENT = { warnings: [{ code: 'DROPPED', values: { count: 3 } }] }

/** @type {[string, string[], RunScenario | undefined, number][]} */
const CASES = [
  ['all rows complete', ['--strict'], undefined, 0],
  ['thresholds met', ['--threshold', 'REGISTER.p50 < 20ms'], undefined, 0],
  ['thresholds failed', THRESHOLD, undefined, 3],
  ['a row broken off by one', THRESHOLD, at(2, ended('THRESHOLD_FAILED')), 3],
  ['a row failed', THRESHOLD, at(2, ended('SERVER_DIED')), 1],
  ['operations of a row not sent', [], at(3, NOT_SENT), 0],
  ['operations of a row not sent, strict', ['--strict'], at(3, NOT_SENT), 4]
]

describe('the exit code of a matrix:', () => {
  inFolder()

  for (const [what, argv, scenario, code] of CASES)
    test(`${what}: ${code}`, async () => {
      const { exitCode } = await matrix(argv, scenario)
      assert.equal(exitCode, code)
    })
})

describe('the rows whose thresholds failed', () => {
  inFolder()

  test('are named', async () => {
    const { stderr } = await matrix(THRESHOLD)
    assert.equal(stderr.match(/^load\/.*10000ms ✖ REGISTER\.p50 < 10ms: 15\.0 ms$/gm)?.length, 3)
  })
})

describe('--prometheus', () => {
  inFolder()

  test('serves the metrics of the row that goes on', async () => {
    const { url, stop } = await startHttp({ host: '127.0.0.1', port: 0 }, {})
    await stop()
    const { port } = new URL(url)
    /** @type {(string | undefined)[]} */
    const seen = []
    const { exitCode, stderr } = await matrix(['--prometheus', port], async function* (plan, components) {
      yield { type: 'start', id: components.id, plan, run: {} }
      const text = await (await fetch(`${url}/metrics`)).text()
      seen.push(/loadtest_run_info\{id="(.*)"\} 1/.exec(text)?.[1])
      yield* giving(() => ({}))(plan, components)
    })
    assert.equal(exitCode, 0)
    assert.match(stderr, new RegExp(`^metrics at ${url}/metrics$`, 'm'))
    assert.equal(seen.map(id => /^c(\d)-/.exec(String(id))?.[1]).join(' '), '1 2 3')
    await assert.rejects(fetch(url))
  })
})
