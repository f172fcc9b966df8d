import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

const report = /** @type {{ getReport: () => object }} */ (process.report)
const failing = (/** @type {string} */ code) => async () => {
  throw Object.assign(new Error('it failed'), { code })
}
let imported = 0

/**
 * The module anew, for it keeps what it has found.
 *
 * @param {import('node:test').TestContext} t
 * @param {unknown} soft - how many files the process may open
 * @returns {Promise<typeof import('../src/kit/runtime.js')>}
 */
async function where(t, soft) {
  const asked = t.mock.method(report, 'getReport', () => ({ userLimits: { open_files: { soft } } }))
  const found = await import(`../src/kit/runtime.js?again=${imported++}`)
  found.openFilesAllowed()
  asked.mock.restore()
  return found
}

describe('how many files may be open', () => {
  test('is what the system says, and any number where it says nothing of the kind', async t => {
    for (const [soft, allowed] of [
      ['1024', 1024],
      [64, 64],
      ['unlimited', Infinity],
      [undefined, Infinity]
    ])
      assert.equal((await where(t, soft)).openFilesAllowed(), allowed)
  })

  test('is not what an error is about that comes of something else, or where enough may be', async t => {
    const few = await where(t, 64)
    assert.equal(few.tooFewFiles(new Error('another')), null)
    assert.equal(few.tooFewFiles(undefined), null)
    const { tooFewFiles } = await where(t, 1024)
    assert.equal(tooFewFiles({ code: 'EMFILE' }), null)
  })

  test('is said in a line where it is too few, for either way in which Node fails then', async t => {
    const { tooFewFiles } = await where(t, 1023)
    for (const code of ['EMFILE', 'ERR_MODULE_NOT_FOUND'])
      assert.equal(
        tooFewFiles({ code }),
        'only 1023 files may be open at once: allow more, with ulimit -n 1024\n'
      )
  })
})

describe('what is loaded at the start', () => {
  test('is given to who asked', async t => {
    const { loadFiles } = await where(t, 64)
    assert.equal(await loadFiles(async () => 'loaded'), 'loaded')
  })

  test('fails as it does for any other reason', async t => {
    await assert.rejects((await where(t, 64)).loadFiles(failing('ENOENT')), { code: 'ENOENT' })
    await assert.rejects((await where(t, 4096)).loadFiles(failing('EMFILE')), { code: 'EMFILE' })
  })

  test('ends the process with that one line where too few files may be open', async t => {
    const { loadFiles } = await where(t, 64)
    const exit = t.mock.method(process, 'exit', () => {})
    const write = t.mock.method(process.stderr, 'write', () => true)
    await loadFiles(failing('EMFILE'))
    write.mock.restore()
    assert.deepEqual(exit.mock.calls[0].arguments, [1])
    assert.match(String(write.mock.calls[0].arguments[0]), /^only 64 files may be open at once/)
  })
})
