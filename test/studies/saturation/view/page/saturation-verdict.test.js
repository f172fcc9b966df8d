import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  completeness,
  doubts,
  searchStatements
} from '../../../../../src/studies/saturation/view/page/saturation-verdict.js'

/** @typedef {import('../../../../../src/studies/saturation/result/trial.js').Found} Found */

/** @param {...any} trials @returns {any} */
const all = (...trials) => trials
const DONE = { status: 'complete', point: { doubtful: false } }
const LOST = { status: 'failed', point: null }

describe('whether all trials were run', () => {
  /** @type {[string, any, any, string, string][]} */
  const cases = [
    ['all', { status: 'complete', reason: null }, all(DONE, DONE), 'good', 'Complete: 2 runs.'],
    [
      'one of them',
      { status: 'partial', reason: { code: 'X', message: 'the server died' } },
      all(DONE, LOST),
      'bad',
      'Partial: 1 run came to its end; the server died.'
    ],
    [
      'none, and nobody knows why',
      { status: 'running', reason: null },
      all(LOST),
      'bad',
      'Partial: 0 runs came to their end.'
    ]
  ]
  for (const [what, document, trials, tone, text] of cases)
    test(`says so of ${what}`, () => assert.deepEqual(completeness(document, trials), [{ tone, text }]))
})

test('how many trials have doubtful figures is said, and why', () => {
  const face = { doubt: 'the generator was slow' }
  const doubtful = { status: 'complete', point: { doubtful: true } }
  assert.deepEqual(doubts(all(DONE, LOST), face), [])
  assert.deepEqual(doubts(all(DONE, doubtful), face), [
    { tone: 'mind', text: '1 run holds doubtful figures: the generator was slow.' }
  ])
  assert.match(doubts(all(doubtful, doubtful), face)[0].text, /^2 runs hold/)
})

describe('what the answer of a search is worth', () => {
  const face = { boundStatement: 'a lower bound' }
  const at = { perSecond: 100, sustained: 3, repeats: 3 }
  /** @param {number} high @param {boolean} [contradict] */
  const estimate = (high, contradict = false) => ({
    blocks: 8,
    rates: [{ share: 0.9, perSecond: 100, low: 95, high }],
    contradict
  })
  /** @type {Found} */
  const found = { below: at, above: at, closed: true, first: null, estimate: null, generatorBound: false }
  /** @type {[string, Partial<Found> | null, [string, RegExp] | null][]} */
  const cases = [
    ['without an end', null, ['bad', /found no largest rate/]],
    [
      'that the generator bounds',
      { generatorBound: true, estimate: estimate(105) },
      ['mind', /^a lower bound$/]
    ],
    ['within a tenth', { estimate: estimate(105) }, ['good', /within ± 10 %\.$/]],
    ['wider than a tenth', { estimate: estimate(130) }, ['mind', /wider than ± 10 %/]],
    ['of blocks that contradict one another', { estimate: estimate(105, true) }, ['mind', /contradict/]],
    ['that repeats contradict', { closed: false }, ['mind', /repeats contradict .* not confirmed/]],
    ['with both ends repeated', {}, ['good', /confirmed by repeats below and above/]],
    ['with nothing below', { below: null }, null],
    ['with nothing above', { above: null }, null]
  ]
  for (const [what, parts, expected] of cases)
    test(`${what} is said${expected === null ? ' nowhere' : ''}`, () => {
      const statements = searchStatements(parts && { ...found, ...parts }, face)
      assert.equal(statements.length, expected === null ? 0 : 1)
      for (const { tone, text } of statements) {
        assert.equal(tone, expected?.[0])
        assert.match(text, expected?.[1] ?? /$^/)
      }
    })
})
