import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { run as list } from '../../src/cli/list.js'
import { collector } from '../report/sample-result.js'

describe('a list of results', () => {
  /** @param {string[]} words @param {string} outputDir */
  async function listed(words, outputDir) {
    const [stdout, stderr] = [collector(), collector()]
    const args = /** @type {any} */ ({ options: { outputDir }, words })
    const code = await list(
      args,
      /** @type {any} */ ({ stdout, stderr, findScenario: async () => undefined })
    )
    return { code, stdout: stdout.text(), stderr: stderr.text() }
  }

  test('is empty before anything was run, and in a folder without results', async t => {
    const folder = await mkdtemp(join(tmpdir(), 'loadtest-list-'))
    t.after(() => rm(folder, { recursive: true }))
    const none = join(folder, 'none')
    assert.deepEqual(await listed([], none), { code: 0, stdout: `no results in ${none}\n`, stderr: '' })
    assert.deepEqual(await listed([folder], none), {
      code: 0,
      stdout: `no results in ${folder}\n`,
      stderr: ''
    })
  })

  test('is refused of a folder that was named and is not there, and of several', async () => {
    const { code, stderr } = await listed(['/nowhere/at-all'], '/nowhere')
    assert.equal(code, 2)
    assert.match(stderr, /\/nowhere\/at-all +is no folder that can be read/)
    assert.match((await listed(['a', 'b'], '/nowhere')).stderr, /b +is one folder too many/)
  })
})
