import { MISSING } from '../../../kit/numbers.js'

/**
 * @typedef {import('../measure/hot-spots.js').HotSpots} HotSpots
 * @typedef {import('../measure/hot-spots.js').Shares} Shares
 * @typedef {import('../../../kit/table.js').Table} Table
 */

const MOST_FUNCTIONS = 20
/** Packages below this share of the time are in hot-spots.csv. */
const LEAST_PACKAGE_SHARE = 0.005

/**
 * percentOf writes a share with a decimal: `39.5`.
 *
 * @param {number} share - 0 to 1
 */
export const percentOf = share => (100 * share).toFixed(1)

const SHARES = ['Self %', 'Total %']

/** @param {Shares} shares */
const sharesOf = ({ selfShare, totalShare }) => [percentOf(selfShare), percentOf(totalShare)]

/**
 * @param {string[]} headings - of what is told apart
 * @param {string[][]} rows
 * @returns {Table}
 */
const tableOf = (headings, rows) => ({
  headings: [...headings, ...SHARES],
  align: [...headings.map(() => /** @type {const} */ ('l')), ...SHARES.map(() => /** @type {const} */ ('r'))],
  rows
})

/** @param {string | null} url @param {number | null} line */
const placed = (url, line) => (url === null ? MISSING : `${url}${line === null ? '' : `:${line}`}`)

/**
 * hotSpotTables are the tables of a profile: what CPU time was spent on by category, by package and by function, the most self time
 * first.
 *
 * @param {Pick<HotSpots, 'categories' | 'packages' | 'functions'>} hotSpots
 * @returns {{ title: string, table: Table }[]}
 */
export const hotSpotTables = ({ categories, packages, functions }) => [
  {
    title: 'By category',
    table: tableOf(
      ['Category'],
      categories.map(row => [row.category, ...sharesOf(row)])
    )
  },
  {
    title: 'By package',
    table: tableOf(
      ['Package'],
      packages
        .filter(({ selfShare }) => selfShare >= LEAST_PACKAGE_SHARE)
        .map(row => [row.package, ...sharesOf(row)])
    )
  },
  {
    title: `Functions, the first ${Math.min(MOST_FUNCTIONS, functions.length)}`,
    table: tableOf(
      ['Function', 'Category', 'Where'],
      functions
        .slice(0, MOST_FUNCTIONS)
        .map(row => [
          row.function,
          row.category,
          row.url === null ? row.package : placed(row.url, row.line),
          ...sharesOf(row)
        ])
    )
  }
]
