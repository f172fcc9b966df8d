import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { cp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { findDockerProblem } from '../../src/target/docker-processes.js'
import { temporaryFolder } from '../temporary-folder.js'
import { runCommand } from './run-command.js'

const TARGET = '/ip4/192.0.2.7/tcp/8000/p2p/12D3KooWDpJ7As7BWAwRMfu1VU2WCqNjvq387JEYKDBj4kx6nXTN'
const STORED = fileURLToPath(new URL('../../fixtures/results-0.1.0/rendezvous', import.meta.url))

const base = temporaryFolder()
before(async () => {
  await cp(STORED, join(base, 'stored'), { recursive: true })
})

/** @param {readonly string[]} argv */
const call = argv =>
  runCommand([...argv], {
    base,
    scenarioOf: () => () => {
      throw new Error('was run')
    }
  })

/** @param {readonly string[]} argv - without what stays the same */
const dry = argv => call([...argv, '--dryRun', '--outputDir', join(base, 'results')])

/** @type {readonly (readonly [argv: readonly string[], ...said: RegExp[]])[]} */
const CASES = [
  [
    ['--rate', '100/s', '--duration', '20s'],
    /^Nothing was started\.$/m,
    /^Plan +node index\.js --duration 20000ms --rate 100\/s/m,
    /REGISTER \(refresh\) at 100\/s for 20\.0 s/,
    /^Starts +1 server in Docker if .*; 1 worker process$/m,
    /^Contacts +127\.0\.0\.1, the Docker engine$/m,
    /^Takes +about 2\d\.\d s$/m,
    /^Memory +about \d+ MB$/m,
    /^Writes +a folder in .*results$/m
  ],
  [['--servers', '3', '--store', 'postgres'], /3 servers in processes; 1 PostgreSQL/],
  [['--target', TARGET, '--iOwnTheTarget'], /^Contacts +\/ip4\/192\.0\.2\.7/m, /^Starts +1 worker process/m],
  [['gossip', '--nodes', '40', '--workers', '2'], /^Starts +2 worker processes$/m],
  [['gossip', '--network', 'simulated'], /^Contacts +nothing$/m],
  [
    ['gossip', '--network', 'docker', '--nodes', '6'],
    /^Starts +6 containers$/m,
    /^Contacts +containers of the run, the Docker engine$/m
  ],
  [['profile'], /30 nodes/],
  [['gossip', '--churn', '10,every=5s', '--duration', '1m'], /30 nodes/],
  [['perf'], /^Starts +1 server in a process; 1 worker process$/m],
  [['transfer', '--requestors', '3'], /^Starts +1 server in a process; 3 worker processes$/m],
  [['--hostile', 'slow'], /^Takes +about \d min/m],
  [['--runs', '3'], /^Plan +3 × node index\.js/m, /^Takes +about 5\d\.\d s$/m],
  [
    ['ab', '--inFlight 2', '--inFlight 4', '--runs', '4'],
    /4 × node.*--inFlight 2 /,
    /4 × node.*--inFlight 4 /
  ],
  [['saturate', 'rendezvous', '--rates', '10/s,20/s', '--connections', '1'], /--rate 10\/s/, /--rate 20\/s/],
  [['saturate', 'gossip', '--search', '--from', '1/s'], /^Takes +about .*, and further runs/m],
  [['qa', 'rendezvous', '--quick'], /^Takes +about .*, and further runs/m],
  [['matrix', 'smoke', '--prometheus', '1'], /^Writes/m],
  [['matrix', 'smoke'], /--benchmarkType UNREGISTER/, /^Takes +about/m],
  [['matrix', 'rendezvous-register'], /2 × node/, /1 × node/, /… and 3 more plans/]
]

/** A plan of containers is refused where there is no engine. @param {readonly string[]} argv */
const skipOf = argv => ({ skip: argv.includes('docker') && (findDockerProblem() ?? false) })

describe('--dryRun', () => {
  for (const [argv, ...said] of CASES)
    test(`${argv.join(' ')}: says what would be done, and does nothing`, skipOf(argv), async () => {
      const { exitCode, stdout, stderr, loaded } = await dry(argv)
      assert.deepEqual([exitCode, stderr, loaded], [0, '', 0])
      for (const part of said) assert.match(stdout, part)
      assert.deepEqual(await readdir(base), ['stored'])
    })

  test('rerun: the plan of the result', async () => {
    const { exitCode, stdout, loaded } = await dry(['rerun', join(base, 'stored')])
    assert.deepEqual([exitCode, loaded], [0, 0])
    assert.match(stdout, /^Plan +node index\.js/m)
    assert.deepEqual(await readdir(base), ['stored'])
  })

  test('a study that is resumed: its folder, and the runs that are left', async () => {
    const folder = join(base, 'stored', 'ab')
    await cp(join(STORED, '..', 'ab'), folder, { recursive: true })
    const { exitCode, stdout } = await dry(['ab', '--resume', folder])
    assert.equal(exitCode, 0)
    assert.match(stdout, /^Plan +no run is left$/m)
    assert.match(stdout, /^Writes +.*stored\/ab$/m)
  })

  test('conform: the address is not dialled', async () => {
    const { exitCode, stdout } = await call(['conform', TARGET, '--dryRun'])
    assert.equal(exitCode, 0)
    assert.match(stdout, /^Contacts +\/ip4\/192\.0\.2\.7/m)
  })

  test('--json: the same as a document', async () => {
    const { stdout } = await dry(['--json', '--runs', '2'])
    const { runs, starts, contacts, estimateMs, memoryBytes } = JSON.parse(stdout)
    assert.deepEqual(
      runs.map((/** @type {any} */ { times, plan }) => [times, plan.nClients]),
      [[2, 4]]
    )
    assert.deepEqual([starts.length, contacts], [2, ['127.0.0.1', 'the Docker engine']])
    assert.ok(estimateMs > 20_000 && memoryBytes > 1e8)
  })

  test('a password of a bus is not shown', async () => {
    const bus = ['--bus', 'nats://me:secret@192.0.2.9:4222', '--agents', '1']
    const { stdout } = await dry(bus)
    assert.match(stdout, /nats:\/\/192\.0\.2\.9:4222/)
    assert.doesNotMatch(stdout, /secret/)
  })
})
