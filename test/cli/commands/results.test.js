import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { listCommand as list } from '../../../src/cli/commands/results.js'
import { collector } from '../../report/sample-result.js'
import { temporaryFolder } from '../../temporary-folder.js'

describe('a list of results', () => {
  /** @param {string[]} words @param {Record<string, unknown>} [options] @param {Record<string, string>} [env] */
  async function listed(words, options = {}, env = {}) {
    const [stdout, stderr] = [collector(), collector()]
    const code = await list(
      /** @type {any} */ ({ options, words }),
      /** @type {any} */ ({ stdout, stderr, env, findScenario: async () => undefined })
    )
    return { code, stdout: stdout.text(), stderr: stderr.text() }
  }

  test('is empty before anything was run, and in a folder without results', async t => {
    const folder = temporaryFolder()
    const before = process.cwd()
    process.chdir(folder)
    t.after(() => process.chdir(before))
    assert.deepEqual(await listed([]), { code: 0, stdout: 'no results in results\n', stderr: '' })
    const none = { code: 0, stdout: `no results in ${folder}\n`, stderr: '' }
    assert.deepEqual(await listed([folder]), none)
    assert.deepEqual(await listed([], { outputDir: folder }), none)
  })

  test('is of a folder that was named in two ways', async () => {
    const folder = temporaryFolder()
    assert.equal((await listed([folder], { outputDir: `${folder}/` })).code, 0)
  })

  test('in a pipe has all of it', async () => {
    const folder = temporaryFolder()
    const why = 'its matrix.json cannot be read'
    const name = `20261120-0712-matrix-${'x'.repeat(45)}`
    await mkdir(join(folder, name))
    await writeFile(join(folder, name, 'matrix.json'), '{')
    const { stdout } = await listed([folder])
    for (const text of [why, name]) assert.ok(stdout.includes(text), stdout)
  })
})
