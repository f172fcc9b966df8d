import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { describeMissingPackages } from '../../src/libp2p/stacks.js'
import { copyWithout } from '../acceptance/copy-of-program.js'
import { runGossip, small } from '../acceptance/gossip-network.js'
import { call, newFolder, QUICK, run, startProgram, TIMEOUT } from '../acceptance/loadtest.js'

const skip = describeMissingPackages('libp2p-2') ?? false
const HERE = { ...TIMEOUT, skip }

const FEW = [
  ...['--nClients', '2', '--benchmarkRuns', '20', '--initialRegistrations', '10', '--server', 'process'],
  ...QUICK
]

// clients on libp2p-2 and a server on libp2p-3: test/libp2p/rendezvous.test.js, and the gossip run
test(
  'a rendezvous run of clients on both generations, and a server on libp2p-2, ends with every operation answered',
  HERE,
  async () => {
    const stacks = ['--stack', 'libp2p-2,libp2p-3', '--serverStack', 'libp2p-2']
    const { code, result, stderr } = await run(['--benchmarkType', 'MIXED', ...FEW, ...stacks])
    assert.equal(code, 0, stderr)
    const operations = Object.values(result.outcome.operations)
    assert.equal(
      operations.reduce((sum, { count }) => sum + count, 0),
      20
    )
    assert.ok(operations.every(({ errors }) => errors === 0))
    assert.match(String(result.run.versions.libp2p), /^2\.\S+ and 3\./)
    assert.match(String(result.run.versions['server libp2p']), /^2\./)
  }
)

/** What its nodes speak gossipsub by. @param {any} result - of a gossip run */
const gossipsubsOf = ({ run }) =>
  Object.keys(run.versions)
    .filter(what => what.endsWith('gossipsub'))
    .sort()

/** Every message of so many nodes came, and it is known what that cost. @param {any} result @param {number} deliveries */
function assertEverywhere({ outcome: { delivery, cost, network } }, deliveries) {
  assert.deepEqual([delivery.delivered, delivery.ratio], [deliveries, 1])
  assert.ok(Number(cost.bytesPerDelivery) > 100)
  assert.ok(Object.keys(network.settings).includes('gossipsub.scoreParams.IPColocationFactorWeight'))
}

describe('a gossip run', () => {
  test(
    'of nodes on both generations that meet at a rendezvous server delivers every message to everyone',
    HERE,
    async () => {
      const { code, result, stderr } = await runGossip([
        ...[...small(6, 1), '--topology', 'rendezvous:k=3', '--messages', '10', '--rate', '20'],
        ...['--stack', 'libp2p-2,libp2p-3']
      ])
      assert.equal(code, 0, stderr)
      assertEverywhere(result, 10 * 5)
      assert.deepEqual(gossipsubsOf(result), ['@chainsafe/libp2p-gossipsub', '@libp2p/gossipsub'])
    }
  )
})

describe('the second stack', TIMEOUT, () => {
  // what a profile calls its packages: test/run/category.test.js
  test('ab gossip leaves a page that compares the two stacks', { ...HERE, timeout: 900_000 }, async () => {
    const outputDir = await newFolder()
    const { code, stdout, stderr } = await call([
      ...['ab', 'gossip', '--stack libp2p-3 ', '--stack libp2p-2 ', ...small(6, 1), '--topology', 'full'],
      ...['--messages', '20', '--rate', '40', '--runs', '1', '--outputDir', outputDir]
    ])
    assert.equal(code, 0, stderr)
    for (const title of [
      'Latency p50, ms',
      'CPU per delivery, ms',
      'Bytes per delivery, bytes',
      'Memory of all workers, MB'
    ])
      assert.match(stdout, new RegExp(`^\\| ${title} +\\| +[\\d.]+ \\| +[\\d.]+ \\|`, 'm'))
    const [name] = await readdir(outputDir)
    const report = await readFile(join(outputDir, name, 'report.md'), 'utf8')
    assert.match(report, /^\| Plan +\| stack +\| libp2p-3 +\| libp2p-2 +\|$/m)
    assert.match(report, /\| libp2p +\| 3\.\S+ +\| 2\.\S+ +\|$/m)
  })

  test('without the packages of the second stack everything else works, and choosing it says what to install', async () => {
    const { folder, index } = await copyWithout(['libp2p-2', '@libp2p-2', '@chainsafe/libp2p-gossipsub'])
    const outputDir = join(folder, 'results')
    const works = await startProgram(index, [...FEW, '--outputDir', outputDir]).ended
    assert.equal(works.code, 0, works.stderr)
    for (const args of [
      ['--stack', 'libp2p-2'],
      ['server', '--stack', 'libp2p-2']
    ]) {
      const { code, stderr } = await startProgram(index, args).ended
      assert.equal(code, 2, args.join(' '))
      assert.match(
        stderr,
        /libp2p-2 needs packages that are not installed \(libp2p-2, @libp2p-2\/tcp, .*\): run npm install/
      )
      assert.match(stderr, /@chainsafe\/libp2p-gossipsub/)
    }
  })
})
