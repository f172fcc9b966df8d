import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  comparisonSentences,
  powerBeforehand,
  seenLines
} from '../../../../src/studies/comparison/view/comparison-sentences.js'
import { comparisonSample } from '../comparison-sample.js'

const {
  comparison: {
    sides,
    against: [found]
  }
} = comparisonSample()

/** @param {Partial<(typeof found.metrics)[number]>} parts of every figure @param {object} [more] */
const sentencesOf = (parts, more) =>
  comparisonSentences(
    { ...found, ...more, metrics: found.metrics.map(metric => ({ ...metric, ...parts })) },
    sides,
    1
  )

describe('a comparison as a person would say it', () => {
  test('leaves open what is undecided; what could have been seen is said of each figure', () => {
    const seen = { pairs: 8, change: 0.12, more: null }
    assert.deepEqual(sentencesOf({ verdict: 'undecided' }), [
      '8 pairs of runs leave open whether A (plan.yaml) and B (--inFlight 8) differ.'
    ])
    const metrics = found.metrics.map((metric, i) => ({
      ...metric,
      verdict: /** @type {const} */ ('undecided'),
      seen: i === 1 ? seen : null
    }))
    assert.deepEqual(seenLines({ ...found, metrics }, 'C: '), [
      'C: p50 is undecided: with 8 pairs a change below 12 % does not show.'
    ])
  })

  test('says which way a figure moved', () => {
    assert.match(sentencesOf({ verdict: 'different', ratio: 1.3 })[0], /has throughput 30\.0 % higher, /)
    assert.match(sentencesOf({ verdict: 'different', ratio: 0.7 })[0], /has throughput 30\.0 % lower, /)
  })

  test('of too few runs says only what was measured so far', () => {
    const [few, far] = sentencesOf({ ratio: 1.1 }, { pairs: 1 })
    assert.match(few, /^Too few runs to tell .*: 1 of the 8 pairs that are needed; ab makes them\.$/)
    assert.match(far, /^So far, .*: throughput \+10\.0 %, p50 \+10\.0 %, /)
    const [first, ...others] = found.metrics
    const metrics = [first, ...others.map(metric => ({ ...metric, ratio: null }))]
    assert.match(
      comparisonSentences({ ...found, pairs: 1, metrics }, sides, 1)[1],
      /round: throughput [−+][\d.]+ %\.$/
    )
  })
})

describe('what pairs of runs can show, said before they are run', () => {
  test('is nothing where they are too few', () => {
    assert.match(powerBeforehand(1, 8), /^1 pair is too few to tell anything, 8 are needed/)
    assert.match(powerBeforehand(3, 8), /^3 pairs are too few/)
  })

  test('is a change that grows with the scatter', () => {
    const [, less, more] =
      powerBeforehand(8, 8).match(
        /^8 pairs show a change of ([\d.]+) % where .* 5 %, of ([\d.]+) % where .* 10 %;/
      ) ?? []
    assert.ok(Number(less) > 0 && Number(more) > Number(less), powerBeforehand(8, 8))
  })
})
