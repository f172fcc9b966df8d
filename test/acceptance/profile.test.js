import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { runCommand, TIMEOUT } from './loadtest.js'

/**
 * @typedef {import('../../src/scenarios/gossip/outcome.js').GossipResult} GossipResult
 * @typedef {import('../../src/measure/process-profile.js').CpuProfile} CpuProfile
 * @typedef {Omit<import('./loadtest.js').Outcome, 'result'> & { result: GossipResult }} ProfileEnded
 */

/** A network that stands within seconds. */
const NETWORK = Object.freeze({
  nodes: '6',
  topology: 'random-degree:k=3',
  topics: '2',
  heartbeat_interval: '200ms'
})
const SMALL = Object.entries(NETWORK).flatMap(([name, value]) => [`--${name}`, value])
const TWO_WORKERS = ['--workers', '2']

/** So many messages that their signatures are seen. */
const OFTEN = ['--interval', '100ms-300ms', ...TWO_WORKERS]

/** @param {string[]} args */
const run = args =>
  /** @type {Promise<ProfileEnded>} */ (
    /** @type {Promise<unknown>} */ (runCommand(['profile', ...SMALL, ...args]))
  )

/** @param {GossipResult} result @param {string} category */
const selfShareOf = ({ outcome: { profile } }, category) =>
  profile?.hotSpots.categories.find(shares => shares.category === category)?.selfShare ?? 0

/** @param {string} folder @param {string} file @returns {Promise<CpuProfile>} */
const cpuProfile = async (folder, file) => JSON.parse(await readFile(join(folder, file), 'utf8'))

describe('a profile', () => {
  /** @type {ProfileEnded} */
  let signed
  /** @type {ProfileEnded} */
  let unsigned
  before(async () => {
    unsigned = await run([...OFTEN, '--duration', '1s', '--signing', 'off'])
    const both = ['--duration', '2s', '--csv', '--profile', 'cpu,heap']
    signed = await run([...OFTEN, ...both])
  }, TIMEOUT)

  test('names signatures as what signed messages cost, and unsigned ones do not', TIMEOUT, async () => {
    assert.equal(signed.code, 0, signed.stderr)
    assert.match(signed.stdout, /^Most CPU time went to /m)
    assert.match(signed.stdout, /^\| signature +\| +\d/m)
    assert.ok(selfShareOf(signed.result, 'signature') > 0.05, JSON.stringify(signed.result.outcome.profile))
    assert.equal(unsigned.code, 0, unsigned.stderr)
    assert.ok(unsigned.result.outcome.delivery.delivered > 0)
    assert.ok(selfShareOf(unsigned.result, 'signature') < 0.01)
    assert.ok(selfShareOf(unsigned.result, 'gossipsub') > 0)
  })

  test('is of each worker, by name', async () => {
    assert.deepEqual(unsigned.result.outcome.profile?.workers, [0, 1])
    const files = (await readdir(unsigned.folder)).filter(name => name.endsWith('.cpuprofile'))
    assert.deepEqual(files.sort(), ['worker-0.cpuprofile', 'worker-1.cpuprofile'])
  })

  test('is of the time in which messages were published', () => {
    const { outcome, run } = signed.result
    const publish = run.phases.find(({ name }) => name === 'publish')
    const { hotSpots, workers } = /** @type {NonNullable<typeof outcome.profile>} */ (outcome.profile)
    assert.deepEqual(workers, [0, 1])
    assert.ok(hotSpots.durationMs > 2 * 1900 && hotSpots.durationMs <= 2 * Number(publish?.durationMs))
    assert.ok(hotSpots.samples > 100)
  })

  test('is kept as files for the usual tools', async () => {
    const { folder, result } = signed
    const files = result.outcome.profile?.files ?? []
    assert.deepEqual(files, ['worker-0.cpuprofile', 'worker-1.cpuprofile'])
    for (const file of files) {
      const { nodes, samples, timeDeltas, startTime, endTime } = await cpuProfile(folder, file)
      assert.ok(nodes.length > 50 && Number(samples?.length) > 50 && endTime > startTime)
      assert.equal(samples?.length, timeDeltas?.length)
      const urls = nodes.map(({ callFrame }) => callFrame.url)
      assert.ok(urls.some(url => url.includes('@libp2p/gossipsub')))
    }
    const csv = await readFile(join(folder, 'hot-spots-by-category.csv'), 'utf8')
    assert.match(csv, /^Category,Self %,Total %\n(.*\n)*signature,\d/)
  })

  test('of allocations says who allocates how much, where it is asked for', async () => {
    const { folder, result } = signed
    const { allocations } = result.outcome
    assert.ok(allocations !== undefined && allocations.bytes > 1e6 && allocations.samples > 10)
    assert.ok(allocations.packages.some(({ package: name }) => name.startsWith('@libp2p/')))
    assert.deepEqual(allocations.files, ['worker-0.heapprofile', 'worker-1.heapprofile'])
    for (const file of allocations.files) {
      const { head } = JSON.parse(await readFile(join(folder, file), 'utf8'))
      assert.ok(head.children.length > 0)
    }
    assert.match(await readFile(join(folder, 'report.md'), 'utf8'), /^## Allocations by package$/m)
    assert.match(await readFile(join(folder, 'report.html'), 'utf8'), /id="allocation-graph"/)
    assert.equal(unsigned.result.outcome.allocations, undefined)
  })

  // how it looks is in page.test.js
  test('is in the report: hot spots as tables, and a flame graph', async () => {
    const report = await readFile(join(signed.folder, 'report.md'), 'utf8')
    for (const by of ['category', 'package', 'function'])
      assert.match(report, new RegExp(`^## CPU time by ${by}$`, 'm'))
    const page = await readFile(join(signed.folder, 'report.html'), 'utf8')
    assert.match(page, /id="flame-graph"/)
    assert.match(page, /"name":"verify\w*"[^{}]*"category":"signature"/)
  })
})
