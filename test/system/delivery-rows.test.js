import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { ended, FAST, runGossip, startGossip } from '../acceptance/gossip-network.js'
import { newFolder, TIMEOUT } from '../acceptance/loadtest.js'

/**
 * @typedef {Record<string, string | number | null>} Row
 * @typedef {import('../../src/scenarios/gossip/outcome.js').GossipResult} GossipResult
 */

/** @param {string} file @returns {Promise<Row[]>} */
async function rowsIn(file) {
  const bytes = await readFile(file)
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()
  assert.ok(text.endsWith('\n'))
  const lines = text.trim().split('\n')
  if (file.includes('.jsonl')) return lines.map(line => JSON.parse(line))
  const [heading, ...rows] = lines.map(line => line.split(','))
  return rows.map(cells =>
    Object.fromEntries(
      heading.map((name, i) => {
        const cell = cells[i]
        return [name, cell === '' ? null : Number.isNaN(Number(cell)) ? cell : Number(cell)]
      })
    )
  )
}

/** @param {Row[]} rows @param {GossipResult} result */
function assertSame(rows, { outcome }) {
  const { delivery, latency, missing, hops, nodes } = outcome
  const delivered = rows.filter(({ missing }) => missing === null)
  assert.deepEqual([rows.length, delivered.length], [delivery.expected, delivery.delivered])
  const times = delivered.map(({ latencyMs }) => Number(latencyMs))
  const avg = times.reduce((sum, ms) => sum + ms, 0) / times.length
  assert.ok(
    Math.abs(avg - Number(latency.delivered.avg?.ms)) < 1e-3,
    `${avg} ms, not ${latency.delivered.avg?.ms}`
  )
  assert.equal(Math.max(...times), latency.delivered.max?.ms)
  for (const { node, delivered: count } of nodes)
    assert.equal(delivered.filter(row => row.node === node).length, count, `node ${node}`)
  for (const [hop, count] of hops.deliveries.entries())
    assert.equal(delivered.filter(row => row.hop === hop).length, count, `hop ${hop}`)
  for (const [reason, count] of Object.entries(missing.byReason))
    assert.equal(rows.filter(row => row.missing === reason).length, count, reason)
}

const SIMULATED = ['--network', 'simulated', '--nodes', '20', '--messages', '60', '--rate', '20/s']

test(
  'each delivery of a simulated network is a row, in CSV and in JSON, with its copies',
  TIMEOUT,
  async () => {
    const folder = await newFolder()
    const files = ['rows.csv', 'rows.jsonl.gz'].map(name => join(folder, name))
    const runs = []
    for (const file of files) runs.push(await runGossip([...SIMULATED, '--deliveries', file]))
    const plain = await runGossip(SIMULATED)
    const [csv, jsonl] = await Promise.all(files.map(rowsIn))
    for (const { code, stderr, result } of runs) {
      assert.equal(code, 0, stderr)
      assert.equal(result.outcome.digest, plain.result.outcome.digest)
      assertSame(csv, result)
    }
    assert.deepEqual(csv, jsonl)
    const copies = csv.reduce((sum, { duplicates }) => sum + Number(duplicates), 0)
    const all = plain.result.outcome.counters.duplicates
    // those that came back to a publisher have no row
    assert.ok(copies <= all && copies >= 0.95 * all, `${copies} of ${all} duplicates`)
  }
)

test('what was lost on the way is a row with its reason', TIMEOUT, async () => {
  const file = join(await newFolder(), 'rows.csv.gz')
  const { code, stderr, result } = await runGossip([
    ...FAST.slice(0, -2),
    ...'--nodes 8 --messages 40 --rate 40/s --validation accept=80,ignore=20 --cooldown 1s'.split(' '),
    ...['--deliveries', file]
  ])
  assert.equal(code, 0, stderr)
  assert.ok(result.outcome.missing.pairs > 0)
  assertSame(await rowsIn(file), result)
})

test('a run that is interrupted leaves whole rows, of all that it counts', TIMEOUT, async () => {
  const file = join(await newFolder(), 'rows.csv.gz')
  const run = await startGossip([
    ...FAST,
    ...'--nodes 8 --duration 10h --rate 20/s --deliveries'.split(' '),
    file
  ])
  // its nodes have reported deliveries
  await run.line(/publishing .* p50/)
  run.signal('SIGINT')
  const { code, stderr, result } = await ended(run)
  assert.equal(code, 130, stderr)
  assert.ok(result.outcome.delivery.delivered > 0)
  assertSame(await rowsIn(file), result)
})

const PYTHON = spawnSync('python3', ['--version']).status === 0

test('what the documentation reads them with in Python does', { ...TIMEOUT, skip: !PYTHON }, async () => {
  const folder = await newFolder()
  const text = await readFile(new URL('../../docs/results.md', import.meta.url), 'utf8')
  const [, program = ''] = /```python\n([^`]+)```/.exec(text) ?? []
  const blocks = ['python', 'r', 'sql'].map(language => text.split(`\`\`\`${language}\n`)[1]?.split('```')[0])
  for (const block of blocks) assert.equal(block?.trim().split('\n').length, 5, block)
  const { code, stderr, result } = await runGossip([
    ...SIMULATED,
    '--deliveries',
    join(folder, 'rows.csv.gz')
  ])
  assert.equal(code, 0, stderr)
  const { stdout, stderr: said } = spawnSync('python3', ['-c', program], { cwd: folder, encoding: 'utf8' })
  const [, count, p50] = /^(\d+) deliveries, p50 ([\d.]+) ms/.exec(stdout) ?? []
  assert.equal(Number(count), result.outcome.delivery.expected, said)
  const ms = Number(result.outcome.latency.all.p50?.ms)
  assert.ok(Math.abs(Number(p50) - ms) <= 0.002 * ms, `${p50} ms, not ${ms} ms`)
})

test('a file that cannot be written to its end is said, and fails the run', {
  ...TIMEOUT,
  skip: !existsSync('/dev/full')
}, async () => {
  const file = join(await newFolder(), 'rows.csv')
  await symlink('/dev/full', file)
  const { code, stderr, result } = await runGossip([...SIMULATED, '--deliveries', file, '--quiet'])
  assert.equal(code, 1, stderr)
  assert.match(stderr, /The file of --deliveries lacks rows: ENOSPC/)
  assert.equal(result.outcome.delivery.ratio, 1)
})
