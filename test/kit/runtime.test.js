import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { parse } from 'acorn'
import { findRuntimeProblem, rememberSuccess } from '../../src/kit/runtime.js'

/** @param {string} path - from the project's folder */
const read = path => readFile(new URL(`../../${path}`, import.meta.url), 'utf8')

describe('what the program was started with', () => {
  /** @type {[Record<string, string>, string | null][]} */
  const cases = [
    [{ node: '20.19.0' }, null],
    [{ node: '22.0.0' }, null],
    [{ node: '20.18.3' }, 'libp2p-loadtest needs Node 20.19 or newer, this is Node 20.18.3'],
    [{ node: '18.19.0' }, 'libp2p-loadtest needs Node 20.19 or newer, this is Node 18.19.0'],
    [{ node: '22.6.0', bun: '1.2.0' }, 'libp2p-loadtest needs Node 20.19 or newer, this is Bun 1.2.0'],
    [{ node: '22.6.0', deno: '2.1.0' }, 'libp2p-loadtest needs Node 20.19 or newer, this is Deno 2.1.0']
  ]
  for (const [versions, problem] of cases)
    test(`${JSON.stringify(versions)} is ${problem === null ? 'enough' : 'refused in a line'}`, () =>
      assert.equal(findRuntimeProblem(versions), problem))

  test('is held to the version that the package names', async () => {
    const { engines } = JSON.parse(await read('package.json'))
    assert.ok(
      findRuntimeProblem({ node: '0.1' })?.includes(`Node ${engines.node.replace('>=', '')} or newer`)
    )
  })

  test('is asked before anything is read that an older Node does not understand', async () => {
    for (const [path, sources] of /** @type {const} */ ([
      ['index.js', ['./src/kit/runtime.js']],
      ['src/kit/runtime.js', []]
    ])) {
      const { body } = parse(await read(path), {
        ecmaVersion: 2020,
        sourceType: 'module',
        allowHashBang: true
      })
      const imported = body.flatMap(node => ('source' in node && node.source ? [node.source.value] : []))
      assert.deepEqual(imported, sources, path)
    }
  })
})

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
 * @returns {Promise<typeof import('../../src/kit/runtime.js')>}
 */
async function where(t, soft) {
  const asked = t.mock.method(report, 'getReport', () => ({ userLimits: { open_files: { soft } } }))
  const found = await import(`../../src/kit/runtime.js?again=${imported++}`)
  found.readOpenFilesLimit()
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
      assert.equal((await where(t, soft)).readOpenFilesLimit(), allowed)
  })

  test('is not what an error is about that comes of something else, or where enough may be', async t => {
    const few = await where(t, 64)
    assert.equal(few.describeOpenFilesError(new Error('another')), null)
    assert.equal(few.describeOpenFilesError(undefined), null)
    const { describeOpenFilesError } = await where(t, 1024)
    assert.equal(describeOpenFilesError({ code: 'EMFILE' }), null)
  })

  test('is said in a line where it is too few, for either way in which Node fails then', async t => {
    const { describeOpenFilesError } = await where(t, 1023)
    for (const code of ['EMFILE', 'ERR_MODULE_NOT_FOUND'])
      assert.equal(
        describeOpenFilesError({ code }),
        'only 1023 files may be open at once: allow more, with ulimit -n 1024\n'
      )
  })
})

describe('what is loaded at the start', () => {
  test('is given to who asked', async t => {
    const { loadModules } = await where(t, 64)
    assert.equal(await loadModules(async () => 'loaded'), 'loaded')
  })

  test('fails as it does for any other reason', async t => {
    await assert.rejects((await where(t, 64)).loadModules(failing('ENOENT')), { code: 'ENOENT' })
    await assert.rejects((await where(t, 4096)).loadModules(failing('EMFILE')), { code: 'EMFILE' })
  })

  test('ends the process with that one line where too few files may be open', async t => {
    const { loadModules } = await where(t, 64)
    const exit = t.mock.method(process, 'exit', () => {})
    const write = t.mock.method(process.stderr, 'write', () => true)
    await loadModules(failing('EMFILE'))
    write.mock.restore()
    assert.deepEqual(exit.mock.calls[0].arguments, [1])
    assert.match(String(write.mock.calls[0].arguments[0]), /^only 64 files may be open at once/)
  })
})

/** @param {(place: string) => string | null} found */
function machine(found) {
  const asked = /** @type {string[]} */ ([])
  const at = { place: 'here' }
  const trial = () => {
    asked.push(at.place)
    return found(at.place)
  }
  return { at, asked, lack: rememberSuccess(trial, () => at.place) }
}

test('what works is tried once, in each place', () => {
  const { at, asked, lack } = machine(() => null)
  assert.deepEqual([lack(), lack()], [null, null])
  at.place = 'there'
  assert.deepEqual([lack(), lack()], [null, null])
  assert.deepEqual(asked, ['here', 'there'])
})

test('what is lacking is tried anew, until it is there', () => {
  const answers = ['nothing is installed', 'it is broken', null]
  const { asked, lack } = machine(() => answers.shift() ?? null)
  assert.deepEqual([lack(), lack(), lack(), lack()], ['nothing is installed', 'it is broken', null, null])
  assert.equal(asked.length, 3)
})

test('what works here may be lacking there', () => {
  const { at, lack } = machine(place => (place === 'here' ? null : 'nothing is there'))
  assert.equal(lack(), null)
  at.place = 'there'
  assert.equal(lack(), 'nothing is there')
})
