import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { faceOf } from '../../../../src/studies/saturation/view/faces.js'
import { kneeSentences } from '../../../../src/studies/saturation/view/knees.js'

const FACE = faceOf({ scenario: 'rendezvous' })

/** Times of eight loads that rise along a line up to 400, and along another one from there on. @param {number} before @param {number} after ms per load */
const bent = (before, after, size = 2) =>
  [1, 2, 3, 4, 5, 6, 7, 8].map(i => ({
    size,
    load: 100 * i,
    ms: i <= 4 ? 10 + before * i : 10 + 4 * before + after * (i - 4)
  }))

describe('from which load on times rise more steeply', () => {
  test('is said with the size and the figure', () => {
    const [sentence, ...more] = kneeSentences(bent(1, 20), FACE)
    assert.match(sentence, /^With 2 connections p50 rises more steeply from .*\b[45]00\b.* on\.$/)
    assert.deepEqual(more, [])
    assert.match(kneeSentences(bent(1, 20, 1), FACE, 'p99')[0], /^With 1 connection p99 rises/)
  })

  test('is found whatever order loads stand in, and without those that have no time', () => {
    const loads = [...bent(1, 20).reverse(), { size: 2, load: 450, ms: null }]
    assert.deepEqual(kneeSentences(loads, FACE), kneeSentences(bent(1, 20), FACE))
  })

  test('is told of each size by itself', () => {
    const sentences = kneeSentences([...bent(1, 20, 2), ...bent(3, 3, 4), ...bent(2, 40, 8)], FACE)
    assert.deepEqual(
      sentences.map(sentence => sentence.match(/^With (\d+)/)?.[1]),
      ['2', '8']
    )
  })

  test('is nowhere where times rise evenly, or less steeply later', () => {
    assert.deepEqual(kneeSentences(bent(5, 5), FACE), [])
    assert.deepEqual(kneeSentences(bent(20, 1), FACE), [])
    assert.deepEqual(kneeSentences([], FACE), [])
  })
})
