import '../../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { abVerdict } from '../../../../../src/studies/comparison/view/page/ab-verdict.js'
import { abSample } from '../../ab-sample.js'

/** @param {Parameters<typeof abSample>[0]} shape */
const said = shape => abVerdict(abSample(shape)).map(({ tone, text }) => `${tone}: ${text}`)

/** @param {string} what */
const difference = what => ({ what, base: '1', candidate: '2' })
const { differences } = abSample().comparison

describe('what a comparison of two plans is worth', () => {
  test('is whole, or partial with the reason that is known', () => {
    assert.equal(said({})[0], 'good: Complete: 8 pairs of runs were measured, in turn.')
    assert.match(said({ pairs: 1 })[0], /^good: Complete: 1 pair of runs/)
    const killed = said({ pairs: 1, document: { status: 'running' } })
    assert.equal(killed[0], 'bad: Partial: 1 of 1 pair of runs are complete: it was ended from outside.')
  })

  test('holds all thresholds, or names those that it missed', () => {
    /** @type {import('../../../../../src/result/types.js').ThresholdResult} */
    const threshold = {
      ...{ text: 'REGISTER.p50 < 13ms', metric: 'REGISTER.p50', limit: 13, unit: 'ms' },
      ...{ operator: '<', actual: 12, passed: true }
    }
    assert.ok(said({ thresholds: [threshold] }).includes('good: All thresholds held in every run.'))
    const missed = said({ thresholds: [{ ...threshold, passed: false }] }).filter(text =>
      /Threshold of/.test(text)
    )
    assert.equal(missed.length, 2)
    for (const text of missed) assert.match(text, /^bad: .*held in 0 of 8 runs/)
  })

  test('is to be minded where the two sides differ in more than their plans', () => {
    const versions = [difference('node'), difference('libp2p')]
    const [mind] = said({ comparison: { differences: { ...differences, plan: [], versions } } }).filter(
      text => /also differ/.test(text)
    )
    assert.equal(mind, 'mind: The two sides also differ in node, libp2p.')
    const none = { ...differences, versions: [], machine: [] }
    assert.ok(!said({ comparison: { differences: none } }).some(text => /also differ/.test(text)))
  })

  test('of two generations of libp2p expects other packages, and not another Node', () => {
    const plan = [{ what: 'stack', base: ['libp2p-3'], candidate: ['libp2p-2'] }]
    const versions = [difference('libp2p'), difference('node')]
    const texts = said({ comparison: { differences: { ...differences, plan, versions, machine: [] } } })
    assert.ok(
      texts.some(text =>
        /^good: Two generations of libp2p are compared, as asked: stack .*libp2p-3.* and .*libp2p-2/.test(
          text
        )
      ),
      texts.join('\n')
    )
    assert.ok(texts.includes('mind: The two sides also differ in node.'))
  })
})
