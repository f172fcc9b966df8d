import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { commandLinesIn } from '../../scripts/package/examples.js'
import { main } from '../../src/cli/index.js'
import { loadScenario } from '../../src/scenarios/index.js'
import { collector } from '../report/sample-result.js'
import { temporaryFolder } from '../temporary-folder.js'

/** These look at a machine, a server, a bus or results that are not here. */
const NEEDS_MORE = new Set([
  'agent',
  'agents',
  'compare',
  'conform',
  'doctor',
  'image',
  'rerun',
  'report',
  'run'
])

/** What only some machines have. */
const OF_MACHINES =
  /--network (docker|namespaces)|network=namespaces|--transport quic|--resume|--baseline|--config|--bus|\{/

const WITHOUT_OUTPUT = new Set(['completion', 'list', 'schema', 'server'])

const ADDRESS = '/p2p/12D3KooWGjMCwDWeCzgZ1tAFuUbBLRqHgtdVMZxqYsD9GPXMzSzd'

const WOULD_RUN = 'options are right: it would run'

/** Of a shell: words apart, quotes taken off. @param {string} line */
const wordsOf = line =>
  [...line.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)].map(([word]) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2')
  )

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

/** Refused, and why. @param {string} line @returns {Promise<string[]>} */
async function refused(line) {
  const argv = wordsOf(line.replace(/\/p2p\/12D3KooW…/g, ADDRESS)).slice(2)
  if (/[<…|>]|SECRET/.test(line) || OF_MACHINES.test(line) || NEEDS_MORE.has(argv[0])) return []
  const isOutputLess = line.includes('--help') || WITHOUT_OUTPUT.has(argv[0])
  const { exitCode, stderr } = await tried([...argv, ...(isOutputLess ? [] : ['--outputDir', base])])
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
