import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { argvOf, chosenRows, referenceRows } from '../../scripts/parts/reference-rows.js'

const rows = referenceRows(
  readFileSync(new URL('../../results/reference/README.md', import.meta.url), 'utf8')
)

test('every command of results/reference/README.md has a name of its own', () => {
  assert.ok(rows.length > 25)
  assert.equal(new Set(rows.map(({ name }) => name)).size, rows.length)
  assert.deepEqual(rows[0], { name: 'rendezvous', argv: ['index.js'] })
  const ab = rows.find(({ name }) => name === 'ab-rendezvous')
  assert.deepEqual(ab?.argv.slice(0, 4), ['index.js', 'ab', '', '--stack libp2p-2'])
})

test('a study that was broken off goes on, a run begins anew', () => {
  const argv = (/** @type {string} */ name, /** @type {boolean} */ begun) =>
    argvOf(/** @type {typeof rows[number]} */ (rows.find(row => row.name === name)), { folder: 'new', begun })
  assert.deepEqual(argv('qa-gossip', false), ['index.js', 'qa', 'gossip', '--outputDir', 'new'])
  assert.equal(argv('matrix-process', true).at(-1), '--resume')
  assert.deepEqual(argv('hour', true), argv('hour', false))
})

test('a study that refuses its options with --resume goes on without them', () => {
  const begun = rows
    .filter(({ argv }) => ['ab', 'qa', 'saturate'].includes(argv[1]))
    .map(row => argvOf(row, { folder: 'new', begun: true }))
  const rest = ['--outputDir', 'new', '--resume']
  for (const argv of begun) assert.deepEqual(argv.slice(-3), rest)
  const commands = new Set(begun.map(argv => argv.slice(1, -3).join(' ')))
  assert.deepEqual([...commands].sort(), [
    'ab',
    'ab gossip',
    'qa gossip',
    'qa rendezvous',
    'saturate gossip',
    'saturate rendezvous'
  ])
})

test('a whole name chooses its row alone, a part of names all that have it', () => {
  const chosen = (/** @type {string} */ only) => chosenRows(rows, only).map(({ name }) => name)
  assert.deepEqual(chosen('gossip'), ['gossip'])
  assert.deepEqual(chosen('ab-'), ['ab-rendezvous', 'ab-gossip'])
  assert.deepEqual(chosen('gossip,ab-rendezvous'), ['ab-rendezvous', 'gossip'])
  assert.deepEqual(chosen('no such row'), [])
  assert.equal(chosen('').length, rows.length)
})
