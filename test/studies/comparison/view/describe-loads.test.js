import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { letterOf } from '../../../../src/studies/comparison/comparison-document.js'
import { describeLoads, loadTable } from '../../../../src/studies/comparison/view/describe-loads.js'
import { descriptionText } from '../../../../src/studies/comparison/view/description.js'
import { time } from '../../../report/sample-result.js'
import { aLoad, aRelease } from '../a-release.js'

/** @param {import('../../../../src/studies/comparison/loads.js').Release[]} releases */
const textOf = releases => descriptionText(describeLoads(releases))

/** @param {import('../../../../src/studies/comparison/loads.js').Release[]} releases */
const linesOf = releases => [...describeLoads(releases).sentences]

describe('releases beside one another', () => {
  test('have a row for each load that any has tried, with ratios to the first', () => {
    const other = aRelease({
      loads: [aLoad({ p50: time(3), throughput: 80, beyond: true }), aLoad({ size: 4, p50: null, p99: null })]
    })
    const { headings, rows } = loadTable([aRelease(), other])
    assert.deepEqual(headings.slice(1), [
      ...[
        'Rate /s',
        'Carried /s A',
        'Carried /s B',
        'p50 ms A',
        'p50 ms B',
        'p50 B ÷ A',
        'p99 ms A',
        'p99 ms B'
      ]
    ])
    assert.deepEqual(rows, [
      ['2', '100', '100', '80.0 ✗', '2.00', '3.00', '1.50', '6.00', '6.00'],
      ['2', '200', '200', '–', '4.00', '–', '–', '6.00', '–'],
      ['4', '100', '–', '100', '–', '–', '–', '–', '–']
    ])
  })

  test('of several trials at a load show the middle one', () => {
    const loads = [time(9), null, time(5)].map(p50 => aLoad({ p50 }))
    assert.equal(loadTable([aRelease({ loads })]).rows[0][3], '5.00')
  })

  test('say what each came to, and how it went while some came and went', () => {
    const rotating = aRelease({ label: 'results/two', rotationCame: 'nothing was lost', rotationSeconds: 60 })
    assert.deepEqual(linesOf([aRelease(), rotating]), [
      'A is results/one: It kept up with every load.',
      'B is results/two: It kept up with every load.',
      'B: While some came and went: nothing was lost; what was carried in a second did not change.'
    ])
    assert.match(
      textOf([aRelease(), rotating]),
      /^A is .*\n\n\| .*\n\n- ✗ beyond the saturation diagonal\..*\n\n- Each load is a run or two of each/s
    )
  })

  test('say from which load on times of each rise more steeply', () => {
    const loads = [1, 2, 3, 4, 5, 6, 7, 8].map(i => aLoad({ load: 100 * i, p50: time(i <= 4 ? i : 20 * i) }))
    assert.match(linesOf([aRelease(), aRelease({ loads })])[2], /^B: With 2 connections p50 rises/)
  })

  test('carry the marks of doubtful times, each with what it means', () => {
    const machine = { ...time(3, { doubtful: true }), cause: /** @type {const} */ ('machine') }
    const loads = [
      aLoad({ p50: time(2, { doubtful: true }), p99: null }),
      aLoad({ perSecond: 200, p50: machine })
    ]
    const text = textOf([aRelease({ loads }), aRelease()])
    assert.match(text, / 2\.00\* \|/)
    assert.match(text, / 3\.00\*m \|/)
    assert.match(text, /^- \* doubtful: the load generator itself added more than a tenth of this time\.$/m)
    assert.match(text, /^- \*m doubtful: the machine, .*$/m)
    assert.doesNotMatch(textOf([aRelease(), aRelease()]), /doubtful/)
  })

  test('have letters, from the first again after the last', () =>
    assert.deepEqual([0, 1, 25, 26].map(letterOf), ['A', 'B', 'Z', 'A']))
})
