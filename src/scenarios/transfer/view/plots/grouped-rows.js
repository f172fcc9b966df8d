import { INK, SERIES, SHAPES } from '../../../../kit/plots/theme.js'

/** @typedef {import('../../../../kit/plots/theme.js').LegendEntry} LegendEntry */

/** waysOf are the ways of rows, in their order. @param {readonly { way: string }[]} rows @returns {string[]} */
export const waysOf = rows => [...new Set(rows.map(({ way }) => way))]

/** colourOf is the colour of a way among others. @param {readonly string[]} ways @param {string} way */
export const colourOf = (ways, way) => [...SERIES, INK][ways.indexOf(way) % (SERIES.length + 1)]

/** shapeOf is the shape of a way among others. @param {readonly string[]} ways @param {string} way @returns {LegendEntry['mark']} */
export const shapeOf = (ways, way) => SHAPES[ways.indexOf(way) % SHAPES.length]

/**
 * legendOfWays are the signs of ways.
 *
 * @param {readonly string[]} ways
 * @param {LegendEntry['mark'] | ((ways: readonly string[], way: string) => LegendEntry['mark'])} mark
 * @returns {LegendEntry[]}
 */
export const legendOfWays = (ways, mark) =>
  ways.map(way => ({
    label: way,
    colour: colourOf(ways, way),
    mark: typeof mark === 'function' ? mark(ways, way) : mark
  }))

/**
 * groupedBy puts rows with the same key together, in the order of their first.
 *
 * @template T
 * @param {readonly T[]} rows
 * @param {(row: T) => unknown} keyOf
 * @returns {T[][]}
 */
export function groupedBy(rows, keyOf) {
  /** @type {Map<unknown, T[]>} */
  const groups = new Map()
  for (const row of rows) {
    const key = keyOf(row)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [row])
    else group.push(row)
  }
  return [...groups.values()]
}
