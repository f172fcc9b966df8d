import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { argvOf, chosenRows, referenceRows } from '../../scripts/parts/reference-rows.js'

const REFERENCE = fileURLToPath(new URL('../../results/reference', import.meta.url))
const rows = referenceRows(readFileSync(join(REFERENCE, 'README.md'), 'utf8'))

const MAX_ENTRIES = 24
const MAX_BYTES = 8 * 1024 * 1024

test('every command of results/reference/README.md has a name of its own', () => {
  assert.ok(rows.length > 20)
  assert.equal(new Set(rows.map(({ name }) => name)).size, rows.length)
  assert.deepEqual(rows[0], { name: 'rendezvous', argv: ['index.js', '--server', 'process'] })
  const ab = rows.find(({ name }) => name === 'ab-rendezvous')
  assert.deepEqual(ab?.argv.slice(0, 4), ['index.js', 'ab', '', '--stack libp2p-2'])
})

test('a study that was broken off goes on, a run begins anew', () => {
  const argv = (/** @type {string} */ name, /** @type {boolean} */ begun) =>
    argvOf(/** @type {typeof rows[number]} */ (rows.find(row => row.name === name)), { folder: 'new', begun })
  assert.deepEqual(argv('ab-limits', false).slice(-2), ['--outputDir', 'new'])
  assert.equal(argv('discover-limits', true).at(-1), '--resume')
  assert.deepEqual(argv('restart', true), argv('restart', false))
})

test('a study that refuses its options with --resume goes on without them', () => {
  const begun = rows
    .filter(({ argv }) => ['ab', 'qa', 'saturate'].includes(argv[1]))
    .map(row => argvOf(row, { folder: 'new', begun: true }))
  const rest = ['--outputDir', 'new', '--resume']
  for (const argv of begun) assert.deepEqual(argv.slice(-3), rest)
  const commands = new Set(begun.map(argv => argv.slice(1, -3).join(' ')))
  assert.deepEqual([...commands].sort(), ['ab', 'ab gossip', 'saturate rendezvous'])
})

test('a whole name chooses its row alone, a part of names all that have it', () => {
  const chosen = (/** @type {string} */ only) => chosenRows(rows, only).map(({ name }) => name)
  assert.deepEqual(chosen('transfer'), ['transfer'])
  assert.deepEqual(chosen('ab-'), ['ab-rendezvous', 'ab-gossip', 'ab-limits'])
  assert.deepEqual(chosen('transfer,ab-rendezvous'), ['ab-rendezvous', 'transfer'])
  assert.deepEqual(chosen('no such row'), [])
  assert.equal(chosen('').length, rows.length)
})

test('what is committed is what the list has, at most 24 entries and 8 MB', () => {
  assert.ok(rows.length <= MAX_ENTRIES)
  const entries = readdirSync(REFERENCE).filter(name => !['README.md', 'made.json'].includes(name))
  const names = new Set(entries.map(name => name.replace(/\.(json|md)$/, '')))
  assert.deepEqual([...names].sort(), rows.map(({ name }) => name).sort())
  const files = readdirSync(REFERENCE, { recursive: true, withFileTypes: true }).filter(file => file.isFile())
  const bytes = files.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0)
  assert.ok(bytes <= MAX_BYTES, `${bytes} bytes`)
})

test('benches of the list write their table in place, under the name of their row', () => {
  const benches = rows.filter(({ argv }) => argv[0] === 'bench/index.js')
  assert.ok(benches.length > 0)
  for (const row of benches) {
    assert.equal(argvOf(row, { folder: 'new', begun: false }), row.argv)
    assert.ok(existsSync(join(REFERENCE, `${row.name}.md`)), row.name)
  }
})
