import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { notSustained } from '../../../../src/scenarios/rendezvous/saturation/not-sustained.js'
import { aLoadPoint, times } from './load-point.js'

describe('whether a load was sustained', () => {
  const lowest = aLoadPoint()
  const quick = aLoadPoint({ rt: times(0.001) })
  const { p99 } = times(5000)
  const few = { ...times(5), p50: null }

  /** @type {[string, Parameters<typeof aLoadPoint>[0], typeof lowest | null, string[]][]} */
  const rows = [
    ['a load that was achieved is', {}, lowest, []],
    ['97 % is enough', { achieved: 582 }, quick, []],
    ['less than 97 % is not', { achieved: 581 }, quick, ['ACHIEVED']],
    [
      'what is under way in the end could not be achieved: 100/s for 300 ms',
      { achieved: 553, rt: times(600) },
      aLoadPoint({ rt: times(300 / 0.9) }),
      []
    ],
    [
      'at the response times of the lowest rate',
      { achieved: 552, rt: times(600) },
      aLoadPoint({ rt: times(300 / 0.9) }),
      ['ACHIEVED']
    ],
    [
      'a tenth at most, however long operations take at the lowest rate',
      { achieved: 523, rt: times(9000) },
      aLoadPoint({ rt: times(9000) }),
      ['ACHIEVED']
    ],
    ['so too where it is the lowest itself', { achieved: 60, rt: times(9000) }, null, ['ACHIEVED']],
    ['ten times the p50 of the lowest rate is still carried', { rt: times(50) }, lowest, []],
    ['more than ten times is not', { rt: times(51) }, lowest, ['SLOWER']],
    ['the lowest rate is held against none', { rt: times(5000) }, null, []],
    ['up to 10 ms no factor counts', { rt: times(11) }, aLoadPoint({ rt: times(0.01) }), []],
    ['a few that were held up do not make a load slower', { rt: { ...times(5), p99 } }, lowest, []],
    ['without a p50 there is nothing to compare', { rt: times(5000) }, aLoadPoint({ rt: few }), []],
    ['more and more that waits is not carried', { waiting: [5, 20, 40, 60, 80, 90] }, lowest, ['WAITING']],
    ['what waits without growing is', { waiting: [90, 60, 80, 70, 90, 60] }, lowest, []],
    ['a few that wait are under way', { waiting: [0, 1, 2, 3, 5, 7] }, lowest, []],
    ['two seconds are too few to tell', { waiting: [0, 90] }, lowest, []]
  ]
  for (const [what, parts, held, codes] of rows) {
    it(what, () => {
      assert.deepEqual(
        notSustained(aLoadPoint(parts), held).map(({ code }) => code),
        codes
      )
    })
  }

  it('says by how much', () => {
    const [achieved, slower, waiting] = notSustained(
      aLoadPoint({ achieved: 300, rt: times(500), waiting: [50, 100, 150, 200, 250, 300] }),
      lowest
    )
    assert.equal(achieved.code, 'ACHIEVED')
    assert.ok(achieved.code === 'ACHIEVED' && Math.abs(achieved.share - 0.5) < 0.001)
    assert.deepEqual(slower, { code: 'SLOWER', figure: 'p50', ms: 450, lowestMs: 4.5 })
    assert.deepEqual(waiting, { code: 'WAITING', count: 275 })
  })
})
