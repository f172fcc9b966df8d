import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findKnees } from '../../../src/studies/saturate/trials.js'

/** Eight loads whose times rise along a line up to 400, and along another one from there on. @param {number} before @param {number} after ms per load */
const bent = (before, after, size = 2) =>
  [1, 2, 3, 4, 5, 6, 7, 8].map(i => ({
    ...{ size, load: 100 * i },
    ms: i <= 4 ? 10 + before * i : 10 + 4 * before + after * (i - 4)
  }))

describe('the load from which times rise more steeply', () => {
  test('is found whatever order loads stand in, and without those that have no time', () => {
    const [knee, ...more] = findKnees([...bent(1, 20).reverse(), { size: 2, load: 450, ms: null }])
    assert.deepEqual(more, [])
    assert.ok(knee.at === 400 || knee.at === 500, String(knee.at))
    assert.ok(knee.before < knee.after)
  })

  test('is found for each size by itself', () =>
    assert.deepEqual(
      findKnees([...bent(1, 20, 2), ...bent(3, 3, 4), ...bent(2, 40, 8)]).map(({ size }) => size),
      [2, 8]
    ))

  test('is none where times rise evenly, less steeply later, or hardly at all', () => {
    for (const loads of [bent(5, 5), bent(20, 1), bent(-1, 0.5), []]) assert.deepEqual(findKnees(loads), [])
  })
})
