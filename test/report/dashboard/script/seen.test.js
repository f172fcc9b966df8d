import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { nothingSeen, see, shownOf } from '../../../../src/report/dashboard/script/seen.js'

const at = (/** @type {number} */ s) => new Date(1000 * s).toISOString()

/** @param {object[]} lines */
const seenOf = lines => {
  const seen = nothingSeen()
  for (const line of lines) see(seen, /** @type {any} */ (line))
  return seen
}

const start = (run = 'a', more = {}) => ({ type: 'start', run, at: at(10), scenario: 'rendezvous', ...more })

describe('what a page has seen', () => {
  test('of a run that goes on: phases with their times, points of what was told, the latest figures', () => {
    const run = shownOf(
      seenOf([
        start(),
        { type: 'phase', run: 'a', phase: 'warmup', title: 'warming up', state: 'begin', atMs: 5 },
        { type: 'progress', run: 'a', at: at(11), done: 3, total: null, unit: 'operations' },
        { type: 'phase', run: 'a', phase: 'warmup', state: 'done', atMs: 905, detail: 'not counted' },
        { type: 'phase', run: 'a', phase: 'measure', state: 'begin', atMs: 910 },
        { type: 'progress', run: 'a', at: at(12), done: 9, total: 20, ratePerSecond: 9, rssBytes: 5e6 },
        { type: 'sample', run: 'a', figures: { count: 9 }, atLeast: [], doubtful: ['count'], thresholds: [] },
        { type: 'warning', run: 'a', message: 'mind it' }
      ])
    )
    assert.deepEqual(
      run?.phases.map(({ title, state, fromMs, toMs, detail }) => [title, state, fromMs, toMs, detail]),
      [
        ['warming up', 'done', 5, 905, 'not counted'],
        ['measure', 'begin', 910, null, undefined]
      ]
    )
    assert.deepEqual(run?.points, [{ at: 2, rate: 9, p50: null, p99: null, cpu: null, memory: 5 }])
    assert.deepEqual([run?.figures, run?.doubtful, run?.warnings], [{ count: 9 }, ['count'], ['mind it']])
    assert.equal(run?.progress?.done, 9)
  })

  test('of a run that has ended: whether it is whole, why not, and where its result is', () => {
    const reason = { code: 'SERVER_DIED', message: 'the server died' }
    const end = {
      type: 'end',
      run: 'a',
      status: 'partial',
      reason,
      folder: 'results/a',
      figures: { count: 1 }
    }
    const run = shownOf(seenOf([start(), end]))
    assert.deepEqual([run?.status, run?.reason, run?.folder], ['partial', 'the server died', 'results/a'])
  })

  test('of a study: the run that goes on is shown at large, after the last one the last', () => {
    const lines = [
      { type: 'study', run: 's', state: 'begin' },
      start('a', { label: 'one' }),
      { type: 'end', run: 'a', status: 'complete' },
      start('b', { label: 'two' })
    ]
    assert.equal(shownOf(seenOf(lines))?.label, 'two')
    const ended = seenOf([...lines, { type: 'end', run: 'b', status: 'complete' }, { type: 'over' }])
    assert.deepEqual([shownOf(ended)?.label, ended.over], ['two', true])
  })

  test('of nothing: no run', () => assert.equal(shownOf(nothingSeen()), null))

  test('what a later version tells is passed over', () => {
    assert.equal(shownOf(seenOf([start(), { type: 'later', run: 'a' }]))?.status, 'running')
  })
})
