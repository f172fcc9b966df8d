import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { notInstalled } from '../../src/libp2p/missing-packages.js'
import { copyWithout } from './copy-of-program.js'
import { runGossip, small } from './gossip-run.js'
import { call, newFolder, PAIRS, QUICK, run, startProgram, TIMEOUT } from './loadtest.js'

const skip = notInstalled('libp2p-2') ?? false
const HERE = { ...TIMEOUT, skip }

const FEW = ['--nClients', '2', '--benchmarkRuns', '60', '--server', 'process', ...QUICK]

describe('a rendezvous run', PAIRS, () => {
  /** @type {[string, string[], Record<string, string>][]} */
  const runs = [
    ['of clients and server on libp2p-2', ['--stack', 'libp2p-2'], { libp2p: '2.' }],
    [
      'of clients on both generations, and a server on the present one',
      ['--stack', 'libp2p-2,libp2p-3', '--serverStack', 'libp2p-3'],
      { libp2p: '2.', 'server libp2p': '3.' }
    ],
    [
      'of clients on the present generation and a server on libp2p-2',
      ['--serverStack', 'libp2p-2'],
      { libp2p: '3.', 'server libp2p': '2.' }
    ]
  ]
  for (const [name, args, versions] of runs)
    test(`${name} ends with every operation answered`, HERE, async () => {
      const { code, result, stderr } = await run(['--benchmarkType', 'MIXED', ...FEW, ...args])
      assert.equal(code, 0, stderr)
      const operations = Object.values(result.outcome.operations)
      assert.equal(
        operations.reduce((sum, { count }) => sum + count, 0),
        60
      )
      assert.ok(operations.every(({ errors }) => errors === 0))
      for (const [what, version] of Object.entries(versions))
        assert.ok(result.run.versions[what]?.startsWith(version), `${what} ${result.run.versions[what]}`)
    })
})

describe('a gossip run', PAIRS, () => {
  /** @type {[string, string[], string[]][]} */
  const runs = [
    ['on libp2p-2', ['--stack', 'libp2p-2'], ['@chainsafe/libp2p-gossipsub']],
    [
      'of nodes on both generations',
      ['--stack', 'libp2p-3,libp2p-2'],
      ['@chainsafe/libp2p-gossipsub', '@libp2p/gossipsub']
    ],
    [
      'of nodes on both generations that meet at a rendezvous server',
      ['--stack', 'libp2p-2,libp2p-3', '--topology', 'rendezvous:k=3'],
      ['@chainsafe/libp2p-gossipsub', '@libp2p/gossipsub']
    ]
  ]
  for (const [name, args, gossipsubs] of runs)
    test(`${name} delivers every message to everyone`, HERE, async () => {
      const topology = args.includes('--topology') ? [] : ['--topology', 'regular:k=4']
      const { code, result, stderr } = await runGossip([
        ...small(),
        ...topology,
        ...['--messages', '20', '--rate', '20', ...args]
      ])
      assert.equal(code, 0, stderr)
      assert.deepEqual([result.outcome.delivery.delivered, result.outcome.delivery.ratio], [20 * 7, 1])
      assert.ok(Number(result.outcome.cost.bytesPerDelivery) > 100)
      assert.deepEqual(
        Object.keys(result.run.versions)
          .filter(what => what.endsWith('gossipsub'))
          .sort(),
        gossipsubs
      )
      const settings = Object.keys(result.outcome.network.settings)
      assert.ok(settings.includes('gossipsub.scoreParams.IPColocationFactorWeight'))
    })

  test('of a simulated network is refused on another stack, with the reason', HERE, async () => {
    const { code, stderr } = await call(['gossip', '--network', 'simulated', '--stack', 'libp2p-2'])
    assert.equal(code, 2)
    assert.match(stderr, /--stack libp2p-2 +must be libp2p-3 with --network simulated: /)
  })
})

describe('the second stack', PAIRS, () => {
  test('a profile says what CPU time of libp2p-2 went to', HERE, async () => {
    const outputDir = await newFolder()
    const args = [
      'profile',
      ...small(6, 1),
      '--topology',
      'full',
      '--publishers',
      'random',
      '--messages',
      '30',
      '--rate',
      '30'
    ]
    const { code, stderr } = await call([...args, '--stack', 'libp2p-2', '--outputDir', outputDir])
    assert.equal(code, 0, stderr)
    const [name] = await readdir(outputDir)
    const result = JSON.parse(await readFile(join(outputDir, name, 'result.json'), 'utf8'))
    assert.ok(JSON.stringify(result.outcome.profile.hotSpots).includes('gossipsub'))
  })

  test('ab gossip leaves a page that compares the two stacks', { ...HERE, timeout: 900_000 }, async () => {
    const outputDir = await newFolder()
    const { code, stdout, stderr } = await call([
      ...['ab', 'gossip', '--stack libp2p-3 ', '--stack libp2p-2 ', ...small(6, 1), '--topology', 'full'],
      ...['--messages', '40', '--rate', '40', '--runs', '1', '--outputDir', outputDir]
    ])
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^- plans differ in: stack libp2p-3 → libp2p-2$/m)
    assert.match(stdout, /^- versions differ in: libp2p 3\.\S+ → 2\.\S+; /m)
    for (const title of [
      'Latency p50, ms',
      'CPU per delivery, ms',
      'Bytes per delivery, bytes',
      'Memory of all workers, MB'
    ])
      assert.match(stdout, new RegExp(`^\\| ${title} +\\| +[\\d.,*]+ \\| +[\\d.,*]+ \\|`, 'm'))
    const [name] = await readdir(outputDir)
    const page = await readFile(join(outputDir, name, 'report.html'), 'utf8')
    assert.match(page, /Two generations of libp2p are compared, as asked: stack libp2p-3 and libp2p-2/)
  })

  test(
    'without the packages of the second stack everything else works, and choosing it says what to install',
    TIMEOUT,
    async () => {
      const { folder, index } = await copyWithout(['libp2p-2', '@libp2p-2', '@chainsafe/libp2p-gossipsub'])
      const outputDir = join(folder, 'results')
      const works = await startProgram(index, [...FEW, '--outputDir', outputDir]).ended
      assert.equal(works.code, 0, works.stderr)
      for (const args of [
        ['--stack', 'libp2p-2'],
        ['gossip', '--stack', 'libp2p-3,libp2p-2'],
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
    }
  )
})
