import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Story } from '../../../src/report/dashboard/story.js'

/** @param {object[]} lines */
const told = lines => {
  const story = new Story()
  for (const line of lines) story.add(/** @type {any} */ (line))
  return story.lines()
}

const start = (/** @type {string} */ run, /** @type {string} */ label) => ({
  ...{ type: 'start', run, label, plan: { much: true }, units: {} }
})
const progress = (/** @type {number} */ done) => ({ type: 'progress', run: 'a', done })

describe('what a page is told that is opened later', () => {
  test('has phases and warnings of the run, and of its figures the latest', () => {
    const phase = { type: 'phase', run: 'a', phase: 'measure', state: 'begin' }
    const warning = { type: 'warning', run: 'a', code: 'DROPPED' }
    const [first, second] = [1, 2].map(count => ({ type: 'sample', run: 'a', figures: { count } }))
    const lines = [{ type: 'start', run: 'a' }, phase, first, progress(1), warning, second]
    assert.deepEqual(told(lines), [lines[0], phase, progress(1), warning, second])
  })

  test('stays short in a long run: what is longest ago has gaps, what was just now has none', () => {
    const moments = Array.from({ length: 50_000 }, (_, i) => progress(i))
    const kept = told([{ type: 'start', run: 'a' }, ...moments]).slice(1)
    assert.ok(kept.length > 900 && kept.length <= 2000, String(kept.length))
    assert.deepEqual(kept.slice(-100), moments.slice(-100))
    assert.deepEqual(kept[0], progress(0))
  })

  test('of runs of a study that have ended has how they ended, without plan and course', () => {
    const study = { type: 'study', run: 's', state: 'begin' }
    const end = { type: 'end', run: 'a', label: 'row 1', status: 'complete', figures: { count: 1 } }
    const lines = told([study, start('a', 'row 1'), progress(1), end, start('b', 'row 2')])
    assert.deepEqual(lines, [
      study,
      { type: 'start', run: 'a', label: 'row 1' },
      { type: 'end', run: 'a', label: 'row 1', status: 'complete' },
      start('b', 'row 2')
    ])
  })
})
