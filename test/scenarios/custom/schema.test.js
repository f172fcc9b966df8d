import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkDescription } from '../../../src/scenarios/custom/schema.js'

const GOOD = {
  ...{ title: 'mine', headline: 'All went well.', tiles: [['Peers', 3, 'count']] },
  tables: [{ id: 'peers', title: 'Peers', columns: [['Peer', 'text']], rows: [['A']] }],
  plots: [],
  warnings: []
}

const manyOf = (/** @type {string} */ key, /** @type {number} */ count, /** @type {object} */ each) => ({
  ...GOOD,
  [key]: Array.from({ length: count }, (_, i) => ({ ...each, id: `${key}-${i}` }))
})

const circular = /** @type {any} */ ({ ...GOOD })
circular.self = circular

/** @type {readonly (readonly [what: string, value: unknown, problem: RegExp])[]} */
const REFUSED = [
  ['nothing', undefined, /^gave nothing$/],
  ['a function', () => {}, /^gave nothing$/],
  ['a text', 'all well', /object/],
  ['null', null, /object/],
  ['something that goes round in a circle', circular, /circular/],
  ['a bigint', { ...GOOD, tiles: [['Peers', 3n, 'count']] }, /BigInt/],
  ['no headline', { ...GOOD, headline: undefined }, /^headline: /],
  [
    'a kind that does not exist',
    { ...GOOD, tiles: [['Peers', 3, 'furlongs']] },
    /^tiles\[0\]\[2\]: .*"count"/
  ],
  ['what no view knows', { ...GOOD, colour: 'red' }, /colour/],
  [
    'a row with too few cells',
    { ...GOOD, tables: [{ ...GOOD.tables[0], rows: [[]] }] },
    /^tables\[0\]\.rows: every row needs a cell for each column$/
  ],
  [
    'a cell that is an object',
    { ...GOOD, tables: [{ ...GOOD.tables[0], rows: [[{ some: 'thing' }]] }] },
    /^tables\[0\]\.rows\[0\]\[0\]: /
  ],
  [
    'an id with a blank',
    { ...GOOD, tables: [{ ...GOOD.tables[0], id: 'my peers' }] },
    /^tables\[0\]\.id: must be lower-case/
  ],
  [
    'an id twice',
    { ...GOOD, tables: [GOOD.tables[0], GOOD.tables[0]] },
    /ids of tables and plots must differ/
  ],
  ['51 tables', manyOf('tables', 51, GOOD.tables[0]), /^tables: .*50/],
  ['51 plots', manyOf('plots', 51, { title: 'p', kind: 'lines' }), /^plots: .*50/],
  [
    'more than 1 MB',
    { ...GOOD, headline: 'ä'.repeat(500_001) },
    /^is 1\.0 MB large, and at most 1 MB is stored$/
  ]
]

describe('the description that a scenario of a user’s own gives', () => {
  test('is taken as JSON holds it', () => {
    const description = { ...GOOD, tables: [{ ...GOOD.tables[0], note: undefined, rows: [[Number.NaN]] }] }
    assert.deepEqual(checkDescription(description), {
      description: { ...GOOD, tables: [{ ...GOOD.tables[0], rows: [[null]] }] }
    })
  })

  test('may have 50 tables and 50 plots', () => {
    const plots = Array.from({ length: 50 }, (_, i) => ({
      id: `p${i}`,
      title: 'p',
      kind: 'lines',
      series: []
    }))
    assert.ok(checkDescription({ ...manyOf('tables', 50, GOOD.tables[0]), plots }).description)
  })

  for (const [what, value, problem] of REFUSED)
    test(`is refused, and it is said why, where it is ${what}`, () => {
      const checked = checkDescription(value)
      assert.equal(checked.description, undefined)
      assert.match(String(checked.problem), problem)
    })

  test('with many mistakes names the first few', () => {
    const { problem } = checkDescription({ ...GOOD, tiles: Array(20).fill(['Peers', 3, 'furlongs']) })
    assert.match(String(problem), /; and 17 more$/)
  })
})
