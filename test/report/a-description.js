import '../../src/kit/runtime.js'

/** @typedef {import('../../src/report/schema.js').Description} Description */

/** aTable is one of two operations. @type {Description['tables'][number]} */
export const aTable = {
  id: 'operations',
  title: 'Operations',
  columns: [
    ['Type', 'text'],
    ['Ops', 'count'],
    ['p99 ms', 'ms'],
    ['Server', 'text', 'wide']
  ],
  rows: [
    ['REGISTER', 29_480, 4.912, 'ours'],
    ['DISCOVER', 5, { atLeast: 10_000 }, 'theirs | ours']
  ]
}

/** aDescription is one made by hand. @param {Partial<Description>} [parts] @returns {Description} */
export const aDescription = (parts = {}) => ({
  title: '20261120-0712-rendezvous-1',
  headline: 'REGISTER 2,948/s with 4 clients; none failed.',
  tiles: [],
  tables: [aTable],
  plots: [],
  warnings: [],
  ...parts
})

/** warnings are so many. @param {number} count */
export const warnings = count =>
  Array.from({ length: count }, (_, i) => ({ code: `CODE_${i}`, text: `something is wrong, number ${i}` }))
