// Each command line of README and docs runs as it is written, for 15 seconds, and ends at Ctrl-C without leaving anything: npm run test:documented.
// DOCUMENTS=README.md runs those of one document.
import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { commandLinesIn, scenarioIn, wordsOf } from '../../scripts/package/examples.js'
import { NO_NATS, startBus } from '../acceptance/bus.js'
import { NEEDS_DOCKER } from '../acceptance/docker.js'
import { WHERE_POSSIBLE } from '../acceptance/namespaces.js'
import { Program, ROOT } from '../acceptance/program.js'
import { temporaryFolder } from '../temporary-folder.js'

/** So long a line runs before Ctrl-C. */
const RUN_MS = 15_000

/** Done, a threshold or comparison failed, generator-limited, interrupted. */
const GOOD_ENDS = [0, 3, 4, 130]

/** What is not here: other machines, an hour's report. test/cli/documented-commands.test.js reads the options of these lines. */
const NOT_HERE = /@db\/|systemctl|perf --target|<(qa|runs) folder>/

/** What a line needs of the machine. @type {readonly [RegExp, string | boolean][]} */
const NEEDS = [
  [/docker|index\.js image|postgres/, NEEDS_DOCKER.skip],
  [/namespaces/, WHERE_POSSIBLE.skip],
  [/--bus/, NO_NATS]
]

const documents = (
  process.env.DOCUMENTS ?? ['README.md', ...readdirSync('docs').map(name => join('docs', name))].join(',')
)
  .split(',')
  .filter(name => name.endsWith('.md'))

const folder = temporaryFolder()

/** @param {readonly string[]} args */
const start = args => new Program('index.js', [...args], { cwd: folder })

describe('command lines of README and docs run as they are written', () => {
  /** @type {Program} */
  let server
  /** @type {string} */
  let address
  /** @type {import('../acceptance/bus.js').Bus | undefined} */
  let bus
  /** @type {Program[]} */
  let agents = []

  before(async () => {
    // as in the folder of the project, with results of its own
    for (const name of [
      'index.js',
      'package.json',
      'src',
      'node_modules',
      'benchmarks',
      'fixtures',
      'deploy'
    ])
      symlinkSync(join(ROOT, name), join(folder, name))
    for (const name of ['rendezvous', 'ab-rendezvous'])
      cpSync(join(ROOT, 'results/reference', name), join(folder, 'results', name), { recursive: true })
    mkdirSync(join(folder, 'reports'))
    writeFileSync(join(folder, 'before.yaml'), 'inFlight: 1\nnClients: 5\n')
    writeFileSync(join(folder, 'after.yaml'), 'inFlight: 2\nnClients: 5\n')
    const extending = readFileSync(join(ROOT, 'docs/extending.md'), 'utf8')
    writeFileSync(join(folder, 'join.js'), scenarioIn(extending))
    // the usual ports are for the servers that lines start
    server = start(['server', '--listen', '/ip4/127.0.0.1/tcp/0', '--httpPort', '0'])
    ;[address] = await server.line(/\/ip4\/127\.0\.0\.1\/tcp\/\d+\/p2p\/\w+/)
    if (NO_NATS !== false) return
    bus = await startBus()
    agents = [1, 2, 3].map(() =>
      start(['agent', '--bus', /** @type {import('../acceptance/bus.js').Bus} */ (bus).url])
    )
  })
  after(async () => {
    for (const program of [server, ...agents]) await program?.endNow()
    await bus?.kill()
  })

  /** @param {string} line @returns {string[]} with what is here in place of what stands for it */
  const argumentsOf = line =>
    wordsOf(
      line
        .replace(/ \| .*$/, '')
        .replace(/\/ip4\/[\d.]+\/tcp\/8000\/p2p\/\w+…?/g, address)
        .replace(/<address>/g, address)
        .replace(/--targetPid \d+/, `--targetPid ${server.pid}`)
        .replace(/nats:\/\/\S+?(?=[\s,]|$)(,credentials=\S+)?/g, bus?.url ?? '')
        .replace(/results\/<runs folder>/g, 'results/ab-rendezvous/a')
        .replace(/results\/<[^>]*>/g, 'results/rendezvous')
    ).slice(2)

  for (const document of documents)
    describe(document, () => {
      for (const line of new Set(commandLinesIn(readFileSync(document, 'utf8'))))
        test(line, { skip: skipped(line) }, async () => {
          const program = start(argumentsOf(line))
          await Promise.race([program.ended, sleep(RUN_MS, undefined, { ref: false })])
          program.signal('SIGINT')
          const { code, signal, stderr } = await program.ended
          assert.ok(GOOD_ENDS.includes(Number(code)), `exit code ${code ?? signal}\n${stderr}`)
          assert.deepEqual(await program.leftAfter(), [])
        })
    })
})

/** @param {string} line @returns {string | false} why it is not run */
function skipped(line) {
  if (NOT_HERE.test(line)) return 'it needs what is not here'
  const [, missing = false] = NEEDS.find(([pattern, why]) => pattern.test(line) && why !== false) ?? []
  return missing === true ? 'not here' : missing
}
