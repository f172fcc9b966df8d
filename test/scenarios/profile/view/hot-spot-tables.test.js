import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hotSpotTables, percentOf } from '../../../../src/scenarios/profile/view/hot-spot-tables.js'

const SHARES = { selfShare: 0.375, totalShare: 0.5 }
/** @param {object} parts @returns {any} */
const made = parts => ({
  function: 'f',
  category: 'gossipsub',
  package: '@libp2p/x',
  url: null,
  line: null,
  ...SHARES,
  ...parts
})

/** @param {any[]} functions @param {any[]} [packages] */
const tablesOf = (functions, packages = []) =>
  hotSpotTables({ categories: [{ category: 'gc', ...SHARES }], packages, functions })

describe('the tables of a profile', () => {
  test('say where a function is: its file and line, its file, or its package alone', () => {
    const [, , { title, table }] = tablesOf([
      made({ url: '@libp2p/x/a.js', line: 7 }),
      made({ url: 'native' }),
      made({})
    ])
    assert.equal(title, 'Functions, the first 3')
    assert.deepEqual(
      table.rows.map(([, , where]) => where),
      ['@libp2p/x/a.js:7', 'native', '@libp2p/x']
    )
  })

  test('have shares in percent, self before total', () => {
    const [{ table }] = tablesOf([])
    assert.deepEqual(table.rows, [['gc', '37.5', '50.0']])
    assert.equal(percentOf(1), '100.0')
  })

  test('leave out packages below half a percent, and functions after the twentieth', () => {
    const [, { table: packages }, { title, table: functions }] = tablesOf(
      Array.from({ length: 25 }, (_, i) => made({ function: `f${i}` })),
      [
        { package: 'a', ...SHARES, selfShare: 0.005 },
        { package: 'b', ...SHARES, selfShare: 0.0049 }
      ]
    )
    assert.deepEqual(
      packages.rows.map(([name]) => name),
      ['a']
    )
    assert.equal(title, 'Functions, the first 20')
    assert.equal(functions.rows.length, 20)
    assert.equal(functions.rows.at(-1)?.[0], 'f19')
  })
})
