import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { showDifferences } from '../../src/cli/show-differences.js'
import { collector } from '../report/sample-result.js'

/** @param {object} own @param {string | null} [lacks] */
function shown(own, lacks = null) {
  const [stdout, stderr] = [collector(), collector()]
  const pair = /** @type {any} */ ({
    results: [{ id: 'a' }, { id: 'b' }],
    differences: {
      them: 'profiles',
      missing: (/** @type {any} */ { id }) => (id === 'b' ? lacks : null),
      list: (/** @type {any} */ a, /** @type {any} */ b) => [a.id, b.id],
      text: (/** @type {any} */ a, /** @type {any} */ b) => `${a.id} against ${b.id}\n`
    }
  })
  const options = { json: false, junit: null, ...own }
  const code = showDifferences(pair, options, /** @type {any} */ ({ stdout, stderr }))
  return { code, stdout: stdout.text(), stderr: stderr.text() }
}

describe('two runs of which nothing is decided', () => {
  test('are shown in words, or as JSON', () => {
    assert.deepEqual(shown({}), { code: 0, stdout: 'a against b\n', stderr: '' })
    assert.deepEqual(JSON.parse(shown({ json: true }).stdout), ['a', 'b'])
  })

  for (const [what, own, lacks, said] of /** @type {[string, object, string | null, RegExp][]} */ ([
    [
      'are not held to rules',
      { failOn: [] },
      null,
      /--failOn +is about figures that decide, and profiles have none/
    ],
    [
      'make no file of checks',
      { junit: 'a.xml' },
      null,
      /--junit a\.xml +is about what is held to something/
    ],
    ['are refused where one lacks what is shown', {}, 'has no profile', /b +has no profile/]
  ]))
    test(what, () => {
      const { code, stdout, stderr } = shown(own, lacks)
      assert.deepEqual([code, stdout], [2, ''])
      assert.match(stderr, said)
    })
})
