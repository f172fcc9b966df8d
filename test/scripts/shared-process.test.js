import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { perFolder, severalEach } from '../../scripts/parts/shared-process.js'
import { temporaryFolder } from '../temporary-folder.js'

const run = promisify(execFile)

const folder = temporaryFolder()

/** Writes down, in a file, what happens in a test file, and waits while it is loaded. @param {string} name */
const testFile = name => `import { appendFileSync } from 'node:fs'
import { test } from 'node:test'
const tell = what => appendFileSync(${JSON.stringify(join(folder, 'told'))}, what + ' ${name} in ' + process.pid + '\\n')
test('of ${name}', () => tell('ran'))
await new Promise(resolve => setTimeout(resolve, 50))
tell('loaded')
`

describe('test files that share a process', () => {
  it('are those of a folder, with what is below it from the third level on', () => {
    const files = [
      'test/a/x.test.js',
      'test/a/y.test.js',
      'test/b/c/x.test.js',
      'test/b/c/d/e/y.test.js',
      'test/b/z.test.js'
    ]
    assert.deepEqual(
      perFolder(files, join(folder, 'made')),
      ['test/a', 'test/b/c', 'test/b'].map(path => join(folder, 'made', path, 'all.test.mjs'))
    )
  })

  it('are some at a time, where a folder has many', () => {
    const files = ['a', 'b', 'c', 'd', 'e'].map(name => `test/x/${name}.test.js`)
    assert.deepEqual(
      severalEach(files, join(folder, 'several'), 2),
      ['a+b', 'c+d', 'e'].map(names => join(folder, 'several', 'test', 'x', `${names}.test.mjs`))
    )
    assert.deepEqual(severalEach([], join(folder, 'several'), 2), [])
  })

  it('are all loaded before the first test runs, and all run, in one process', async () => {
    const files = ['one', 'two'].map(name => join(folder, `${name}.test.mjs`))
    for (const [i, file] of files.entries()) await writeFile(file, testFile(['one', 'two'][i]))
    const [module] = perFolder(files, join(folder, 'run'))
    // a process of its own, not a part of the run of tests that this one belongs to
    await run(process.execPath, [module], { env: { ...process.env, NODE_TEST_CONTEXT: undefined } })
    const lines = (await readFile(join(folder, 'told'), 'utf8')).trim().split('\n')
    assert.deepEqual(
      lines.map(line => line.split(' in ')[0]),
      ['loaded one', 'loaded two', 'ran one', 'ran two']
    )
    assert.equal(new Set(lines.map(line => line.split(' in ')[1])).size, 1)
  })
})
