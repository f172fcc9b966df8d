import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { commandLinesIn, wordsOf } from '../../scripts/package/examples.js'
import { COMMANDS } from '../../src/cli/commands.js'
import { main } from '../../src/cli/index.js'
import { foldFamilies } from '../../src/plan/options.js'
import { loadScenario } from '../../src/scenarios/index.js'
import { collector } from '../report/sample-result.js'
import { temporaryFolder } from '../temporary-folder.js'

/** A scenario of a user's own has its options in a file: test/cli/commands/run.test.js runs the one of docs/extending.md. */
const OF_OWN_SCENARIO = /^node index.js run /

/** These need a machine, a bus, a baseline or results that are not here: their options are read, and nothing is run. */
const NEEDS_MORE =
  /^node index.js (agents?|compare|doctor|rerun|report)\b|--network (docker|namespaces)|network=namespaces|--transport quic|--resume|--baseline|^node index.js ab \S+\.yaml|--bus /

/** No command has this option. */
const NO_OPTION = '--noOption'

const WITHOUT_OUTPUT = new Set(['completion', 'conform', 'image', 'list', 'schema', 'server'])

const ADDRESS = '/p2p/12D3KooWGjMCwDWeCzgZ1tAFuUbBLRqHgtdVMZxqYsD9GPXMzSzd'

const WOULD_RUN = 'options are right: it would run'

const base = temporaryFolder()

/** @param {string[]} argv */
async function tried(argv) {
  const [stdout, stderr] = [collector(), collector()]
  const wouldRun = async () => {
    throw new Error(WOULD_RUN)
  }
  /** @type {any} */
  const surroundings = {
    ...{
      stdout,
      stderr,
      findScenario: loadScenario,
      version: '0.1.0',
      cacheDir: join(base, 'cache'),
      env: {}
    },
    ...{ process: new EventEmitter(), now: () => new Date(2026, 10, 20, 7, 12) },
    ...{ loadRun: wouldRun, loadServe: wouldRun, loadDocker: wouldRun }
  }
  const exitCode = await main(argv, surroundings)
  return { exitCode, stderr: stderr.text() }
}

const documents = [
  'README.md',
  ...(await readdir('docs')).filter(name => name.endsWith('.md')).map(name => `docs/${name}`)
]

/** @param {string} line @returns {string[]} the arguments, with values in place of placeholders */
const argumentsOf = line =>
  wordsOf(
    line
      .replace(/ \| .*$/, '')
      .replace(/\/p2p\/12D3KooW…/g, ADDRESS)
      .replace(/results\/<[^>]*>/g, 'results/reference/rendezvous')
      .replaceAll('reports/', `${base}/`)
  ).slice(2)

/** @param {string} stderr @returns {string[]} refused options, but for files of the user's own */
const refusedIn = stderr => [...stderr.matchAll(/^ {2}(\S+)(?!.* does not exist$)/gm)].map(([, flag]) => flag)

/** Refused, and why. @param {string} line @returns {Promise<string[]>} */
async function refused(line) {
  if (OF_OWN_SCENARIO.test(line)) return []
  const argv = argumentsOf(line)
  if (NEEDS_MORE.test(line)) {
    const { exitCode, stderr } = await tried([...argv, NO_OPTION, '1'])
    return exitCode === 2 && refusedIn(stderr).join() === NO_OPTION ? [] : [`${line}\n${stderr}`]
  }
  const more = argv[0] === 'conform' ? ['--dryRun'] : []
  const isOutputLess = line.includes('--help') || WITHOUT_OUTPUT.has(argv[0])
  const { exitCode, stderr } = await tried([...argv, ...more, ...(isOutputLess ? [] : ['--outputDir', base])])
  return exitCode === 0 || stderr.includes(WOULD_RUN) ? [] : [`${line}\n${stderr}`]
}

describe('command lines of the documents are taken as they are written', () => {
  for (const document of documents)
    test(document, async () => {
      const found = []
      for (const line of new Set(commandLinesIn(await readFile(document, 'utf8'))))
        found.push(...(await refused(line)))
      assert.deepEqual(found, [])
    })
})

/** Options that commands have, by the names that help shows. @returns {Promise<Set<string>>} */
async function loadOptionNames() {
  const tables = await Promise.all(
    COMMANDS.map(async ({ load }) => {
      const { options, forms = {} } = (await load([])).help
      return [options, ...Object.values(forms).map(form => form.options)]
    })
  )
  return new Set(['help', 'version', ...tables.flat().flatMap(table => Object.keys(foldFamilies(table)))])
}

test('options that the documents name exist, by the names that help shows', async () => {
  const names = await loadOptionNames()
  const missing = []
  for (const document of documents)
    for (const [, no = '', option] of (await readFile(document, 'utf8')).matchAll(/`--(no-)?([\w-]+)/g)) {
      const name = option.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())
      if (!names.has(name)) missing.push(`${document}: --${no}${option}`)
    }
  assert.deepEqual(missing, [])
})
