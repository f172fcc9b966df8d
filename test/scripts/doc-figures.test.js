import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { withFigures } from '../../scripts/parts/doc-figures.js'

const RESULTS = mkdtempSync(join(tmpdir(), 'loadtest-figures-'))
after(() => rmSync(RESULTS, { recursive: true, force: true }))
writeFileSync(
  join(RESULTS, 'a.md'),
  '# A\n\n| Row | p50 | p99 |\n| :-- | --: | --: |\n| a | 1 | 2 |\n| b | 3 | 4 |\n\n## Two, later\n\n| Row | p50 |\n| :-- | --: |\n| c | 5 |\n\nEnd\n'
)

/** @param {string} what @param {string} inside */
const block = (what, inside) =>
  `Before\n\n<!-- figures: a.md ${what} -->\n${inside}<!-- /figures -->\n\nAfter\n`

describe('a block of figures', () => {
  test('is filled with a table of its result, whatever stood there, and is the same when it is filled again', () => {
    const filled = withFigures(block('| Row', '\nold\n'), RESULTS)
    assert.equal(
      filled,
      block(
        '| Row',
        '\n| Row | p50 | p99 |\n| :-- | --: | --: |\n| a   |   1 |   2 |\n| b   |   3 |   4 |\n\n'
      )
    )
    assert.equal(withFigures(filled, RESULTS), filled)
  })

  test('shows some columns where they are named', () =>
    assert.equal(
      withFigures(block('| Row | p50; p99; Row', ''), RESULTS),
      block('| Row | p50; p99; Row', '\n| p99 | Row |\n| --: | :-- |\n|   2 | a   |\n|   4 | b   |\n\n')
    ))

  test('shows the first table below a heading where its anchor is named', () => {
    const later = (/** @type {string} */ anchor) =>
      withFigures(block('| Row', '').replace('a.md', `a.md#${anchor}`), RESULTS)
    assert.match(later('two-later'), /-->\n\n\| Row \| p50 \|\n\| :-- \| --: \|\n\| c {3}\| {3}5 \|\n\n<!--/)
    assert.throws(() => later('three'), /there is no heading #three/)
  })

  test('is refused for a result, table or column that is not there', () => {
    assert.throws(() => withFigures(block('| Rows', ''), RESULTS), /^Error: a\.md: there is no table \| Rows/)
    assert.throws(() => withFigures(block('| Row; p5', ''), RESULTS), /^Error: a\.md: there is no column p5/)
    assert.throws(
      () => withFigures(block('| Row', '').replace('a.md', 'b.md'), RESULTS),
      /^Error: b\.md: ENOENT/
    )
  })
})
