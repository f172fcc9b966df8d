import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chosenCell, gridCells, saturationDiagonal } from '../../../../src/studies/saturate/search.js'

/** The grid of the source: 90 s, achieved operations by rate and connections. */
const SOURCE = /** @type {const} */ ([
  [25, [2225, 4450, 8900]],
  [50, [4450, 8900, 17_800]],
  [100, [8900, 17_800, 35_600]],
  [200, [17_800, 35_600, 38_660]]
])
const CONNECTIONS = [1, 2, 4]

/** The source says "noticeably less". @param {Omit<import('../../../../src/studies/saturate/search.js').MeasuredCell, 'beyond'>} cell */
const cellOf = cell => ({ ...cell, beyond: cell.achieved < 0.95 * cell.expected })

/** @param {Record<string, number>} [avgMs] - by cell */
const sourceCells = (avgMs = {}) =>
  SOURCE.flatMap(([ratePerSecond, row]) =>
    row.map((achieved, i) => {
      const load = ratePerSecond * CONNECTIONS[i]
      const avgOf = avgMs[`${ratePerSecond} ${CONNECTIONS[i]}`] ?? 10
      return cellOf({
        ratePerSecond,
        size: CONNECTIONS[i],
        load,
        expected: load * 90,
        achieved,
        avgMs: avgOf
      })
    })
  )

/** @param {{ ratePerSecond: number, size: number } | null} cell */
const name = cell => cell && `r=${cell.ratePerSecond},c=${cell.size}`

describe('the saturation grid', () => {
  it('has a cell for each rate with each number of connections', () => {
    assert.deepEqual(gridCells([25, 50], [1, 2]).map(name), ['r=25,c=1', 'r=50,c=1', 'r=25,c=2', 'r=50,c=2'])
  })

  it('of the source has one cell beyond the diagonal, which runs beyond the two the source names', () => {
    const cells = sourceCells()
    assert.deepEqual(cells.filter(({ beyond }) => beyond).map(name), ['r=200,c=4'])
    const { below, beyond } = saturationDiagonal(cells)
    assert.deepEqual([below.map(name), beyond.map(name)], [['r=100,c=4', 'r=200,c=2'], ['r=200,c=4']])
  })

  it('chooses the largest load below the diagonal, and of several the one with less latency', () => {
    assert.equal(name(chosenCell(sourceCells({ '200 2': 8, '100 4': 9 }))), 'r=200,c=2')
    assert.equal(name(chosenCell(sourceCells({ '200 2': 9, '100 4': 8 }))), 'r=100,c=4')
    assert.equal(name(chosenCell(sourceCells())), 'r=200,c=2', 'then the one with fewer connections')
  })

  it('chooses nothing where every cell is beyond, and has no cell beyond where all are achieved', () => {
    const cells = sourceCells().map(cell => cellOf({ ...cell, achieved: 0 }))
    assert.equal(chosenCell(cells), null)
    assert.deepEqual(saturationDiagonal(cells).below, [])
    const all = sourceCells().map(cell => cellOf({ ...cell, achieved: cell.expected }))
    assert.deepEqual(saturationDiagonal(all).beyond, [])
    assert.equal(name(chosenCell([])), null)
  })
})
