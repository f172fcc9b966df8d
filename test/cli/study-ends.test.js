import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { emptyBeforeEach, temporaryFolder } from '../temporary-folder.js'
import { modelledRun } from './modelled-server.js'
import { runCommand } from './run-command.js'

/**
 * @typedef {import('../../src/cli/index.js').RunScenario} RunScenario
 * @typedef {import('../../src/report/schema.js').Warning} Warning
 */

const base = temporaryFolder()

const OPEN = ['--rate', '100/s', '--duration', '1s']

/** Studies of few runs, with the document of each. @type {[string, string[], string][]} */
const STUDIES = [
  ['ab', ['ab', '', '', '--runs', '2', ...OPEN], 'comparison.json'],
  ['a grid', 'saturate rendezvous --rates 50 --connections 1,2 --duration 2s'.split(' '), 'saturate.json'],
  [
    'a search for a network',
    'saturate rendezvous --peers 1000 --blocks 0 --duration 1s'.split(' '),
    'saturate.json'
  ]
]

/** @param {string[]} argv @param {Parameters<typeof runCommand>[1]['scenarioOf']} scenarioOf */
async function ended(argv, scenarioOf) {
  const said = await runCommand([...argv, '--outputDir', join(base, 'results')], { base, scenarioOf })
  const [name] = await readdir(join(base, 'results'))
  const folder = join(base, 'results', name)
  return { ...said, folder, names: await readdir(folder, { recursive: true }) }
}

/** The second run of a study ends with these warnings. @param {Warning[]} warnings @returns {RunScenario} */
function warned(warnings) {
  let count = 0
  return async function* (plan, { id }) {
    const result = modelledRun(plan, id, { capacity: 1000 })
    const run = { ...result.run, warnings: ++count === 2 ? warnings : [] }
    yield { type: 'result', result: { ...result, run } }
  }
}

describe('a study one of whose runs shows that the server lost what it had confirmed', () => {
  emptyBeforeEach(base)

  const lost = { code: 'REGISTRATIONS_MISSING', values: { missing: 3, lookedUp: 40 } }
  for (const [name, argv] of STUDIES)
    test(`${name} comes to its end with exit code 1, and says which run it was`, async () => {
      const { exitCode, stdout, stderr } = await ended(argv, () => warned([lost]))
      assert.equal(exitCode, 1)
      assert.notEqual(stdout, '', 'what was measured is shown all the same')
      assert.match(
        stderr,
        /^✖ \S+: 3 of 40 registrations that the server has confirmed cannot be discovered/m
      )
      assert.equal(stderr.match(/^✖ /gm)?.length, 1)
    })

  test('a load that nothing comes of is what saturate tries, and no error', async () => {
    const nothing = { code: 'NOTHING_SUCCEEDED', values: { count: 50 } }
    const { exitCode, stderr } = await ended(STUDIES[1][1], () => warned([nothing]))
    assert.equal(exitCode, 0, stderr)
    const ab = await ended(STUDIES[0][1], () => warned([nothing]))
    assert.equal(ab.exitCode, 1)
  })
})

describe('a study that is sent SIGTERM', () => {
  emptyBeforeEach(base)

  for (const [name, argv, file] of STUDIES)
    test(`${name} keeps its document, and writes its report`, async () => {
      let count = 0
      const { exitCode, stdout, folder, names } = await ended(
        argv,
        process =>
          async function* (plan, { id }) {
            if (++count === 2) process.emit('SIGTERM', 'SIGTERM')
            const result = modelledRun(plan, id, { capacity: 1000 })
            yield { type: 'result', result: count === 2 ? { ...result, status: 'partial' } : result }
          }
      )
      assert.equal(exitCode, 130)
      const document = JSON.parse(await readFile(join(folder, file), 'utf8'))
      assert.deepEqual([document.status, document.reason.code], ['partial', 'INTERRUPTED'])
      if (name === 'ab') assert.equal(stdout, '', 'no pair is complete')
      else {
        assert.match(stdout, /^⚠ Not complete: interrupted by SIGTERM$/m)
        assert.ok(names.includes('report.html'), String(names))
      }
    })
})
