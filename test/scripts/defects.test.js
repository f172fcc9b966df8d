import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, sep } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'acorn'
import { DEFECTS } from '../../scripts/parts/defect-list.js'
import { placesOf } from '../../scripts/parts/place-of-defect.js'
import { ReachingTests } from '../../scripts/parts/reaching-tests.js'
import { runTest } from '../../scripts/parts/test-run.js'

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url))

/** @type {string} */
let root
before(() => {
  root = mkdtempSync(join(tmpdir(), 'loadtest-defects-'))
})
after(() => rmSync(root, { recursive: true }))

/** @param {Record<string, string>} files - path → text */
function write(files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

describe('the defects', () => {
  /** A test that has the name of the file and loads it reaches it; of what has none all imports are followed, which takes long. @param {string} file */
  function hasItsTest(file) {
    const test = join(CHECKOUT, file.replace(/^src/, 'test').replace(/\.js$/, '.test.js'))
    return existsSync(test) && readFileSync(test, 'utf8').includes(`${file.replaceAll(sep, '/')}'`)
  }

  it('are 40, each in one place of the code, reached by a test, and code that runs', () => {
    const places = placesOf(DEFECTS, CHECKOUT)
    const reaching = new ReachingTests(CHECKOUT)
    assert.equal(places.length, 40)
    for (const { number, file, start, end, put } of places) {
      assert.ok(hasItsTest(file) || reaching.of(file).length > 0, `${file} is reached by no test`)
      const source = readFileSync(join(CHECKOUT, file), 'utf8')
      assert.equal(source.slice(start, end), DEFECTS[number - 1].find)
      assert.notEqual(source.slice(start, end), put)
      parse(source.slice(0, start) + put + source.slice(end), { ecmaVersion: 'latest', sourceType: 'module' })
    }
  })

  it('that are nowhere, or in more than one place, are named with what was looked for', () => {
    write({ 'src/a.js': 'x < 1', 'src/b.js': 'x < 1' })
    const wrong = [
      { what: 'a bound', find: 'x < 1', put: 'x <= 1' },
      { what: 'a sign', find: '-x', put: 'x' }
    ]
    assert.throws(() => placesOf(wrong, root), {
      message: [
        `defect 1 (a bound): x < 1 is in more than one place: ${join('src', 'a.js')}, ${join('src', 'b.js')}`,
        'defect 2 (a sign): -x is nowhere in src'
      ].join('\n')
    })
  })
})

describe('the tests that reach a module', () => {
  it('are the nearest first, over imports and programs that are started, and acceptance tests where there is no other', () => {
    write({
      'src/a.js': '',
      'src/b.js': "import './a.js'",
      'src/program.js': "import './only-started.js'",
      'src/only-started.js': '',
      'src/index.js': '',
      'src/starter.js': "fork(new URL('./program.js', import.meta.url))",
      'test/a.test.js': "import '../src/a.js'\nimport '../src/starter.js'",
      'test/b.test.js': "import '../src/b.js'",
      'test/near.test.js': "const { a } = await import('../src/a.js')",
      'test/acceptance/index.test.js': "import '../../src/index.js'\nimport '../../src/a.js'"
    })
    const reaching = new ReachingTests(root)
    const of = (/** @type {string} */ file) => reaching.of(join('src', file))
    assert.deepEqual(
      of('a.js'),
      ['a', 'near', 'b'].map(name => join('test', `${name}.test.js`))
    )
    assert.deepEqual(of('only-started.js'), [join('test', 'a.test.js')])
    assert.deepEqual(of('index.js'), [join('test', 'acceptance', 'index.test.js')])
  })
})

describe('a test file', () => {
  const IMPORT = "import { test } from 'node:test'\n"
  /** @type {[string, string, import('../../scripts/parts/test-run.js').Verdict][]} */
  const files = [
    [
      'of which all tests pass, or are to be done',
      "test('a', () => {})\ntest.todo('b', () => { throw 1 })",
      'passed'
    ],
    [
      'with a failure fails at once',
      "test('a', () => { throw 1 })\ntest('b', () => new Promise(() => setInterval(() => {}, 1000)))",
      'failed'
    ],
    ['that cannot be loaded fails', "import './nowhere.js'", 'failed'],
    [
      'that goes on and on is ended',
      "test('a', () => new Promise(() => setInterval(() => {}, 1000)))",
      'timed out'
    ]
  ]
  for (const [name, text, verdict] of files)
    it(name, async () => {
      write({ 'some.mjs': IMPORT + text })
      const timeoutMs = verdict === 'timed out' ? 1500 : 60_000
      const { signal } = new AbortController()
      assert.equal(await runTest('some.mjs', { cwd: root, tmp: root, timeoutMs, signal }), verdict)
    })
})
