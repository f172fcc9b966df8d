import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../temporary-folder.js'
import { runCommand } from './run-command.js'

const kept = (/** @type {string} */ name) =>
  fileURLToPath(new URL(`../../fixtures/studies/${name}`, import.meta.url))
const BEFORE = kept('saturate-search-before')
const AFTER = kept('saturate-search-before-2')

/** @param {string[]} words @param {string[]} [options] */
async function shown(words, options = []) {
  const { exitCode: code, ...said } = await runCommand(['compare', ...words, ...options], {
    ...{ base: tmpdir(), scenarioOf: () => assert.fail('nothing is run') }
  })
  return { code, ...said }
}

describe('studies that tried loads', () => {
  test('are laid over one another for a program, without their runs', async () => {
    const { code, stdout } = await shown([BEFORE, AFTER], ['--json'])
    const { scenario, sides } = JSON.parse(stdout)
    assert.deepEqual([code, sides.map((/** @type {any} */ { label }) => label)], [0, [BEFORE, AFTER]])
    assert.equal(scenario, 'rendezvous')
    for (const { loads, runs } of sides) assert.deepEqual([loads.length > 0, runs], [true, undefined])
  })

  test('are of one scenario', async () => {
    const base = temporaryFolder()
    const document = JSON.parse(await readFile(join(BEFORE, 'saturate.json'), 'utf8'))
    const other = { ...document, scenario: 'gossip', grid: { ...document.grid, cells: [] }, search: null }
    await writeFile(join(base, 'saturate.json'), JSON.stringify(other))
    const { code, stdout, stderr } = await shown([BEFORE, base])
    assert.deepEqual([code, stdout], [2, ''])
    assert.match(stderr, /these cannot be compared: rendezvous and gossip/)
  })
})
