import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { html } from '../../src/kit/safe-text.js'
import {
  drawSparkline,
  ensureWidth,
  fitParts,
  flowParts,
  formatMarkdownTable,
  getSpinnerColumns,
  getTerminalColumns,
  wrapText
} from '../../src/kit/text-layout.js'

/** @type {import('../../src/kit/text-layout.js').TextTable} */
const TABLE = { headings: ['Name', 'Figure'], align: ['l', 'r'], rows: [['a < b', '1 / 2']] }

test('a table is written as markdown, its columns as wide as their letters', () =>
  assert.equal(formatMarkdownTable(TABLE), '| Name  | Figure |\n| :---- | -----: |\n| a < b |  1 / 2 |'))

test('what is put into a page is text, unless it is a piece of one', () => {
  assert.equal(String(html`<p>${'<b>'}${html`<i>x</i>`}${null}</p>`), '<p>&lt;b&gt;<i>x</i></p>')
  assert.equal(String(html`<p title='${`&"'`}'>`), "<p title='&amp;&quot;&#39;'>")
})

describe('a line of a terminal', () => {
  for (const [columns, line] of /** @type {[number, string][]} */ ([
    [80, 'measuring   12 / 40   p50 3 ms'],
    [30, 'measuring   12 / 40   p50 3 ms'],
    [29, 'measuring   12 / 40'],
    [12, 'measuring'],
    [4, 'meas']
  ]))
    it(`of ${columns} columns leaves out from the right what does not fit`, () => {
      assert.equal(fitParts(['measuring', '12 / 40', 'p50 3 ms'], columns), line)
    })

  it('leaves out what is behind the first that does not fit, too', () => {
    assert.equal(fitParts(['a', 'bbbbbbbbbb', 'c'], 8), 'a')
  })
})

it('figures flow into as many lines as they need, each whole', () => {
  assert.deepEqual(flowParts(['Ops 1,200', 'Errors 0', 'p50 3.10', 'p99 12.0'], 20), [
    'Ops 1,200   Errors 0',
    'p50 3.10   p99 12.0'
  ])
  assert.deepEqual(flowParts(['longer than there is room for'], 10), ['longer than there is room for'])
})

it('a text is broken between words, and what follows is indented', () => {
  const lines = wrapText('the load generator itself added more than a tenth', 24).split('\n')
  assert.deepEqual(lines, ['the load generator', '  itself added more than', '  a tenth'])
})

describe('a sparkline', () => {
  for (const [values, line] of /** @type {[number[], string][]} */ ([
    [[0, 1, 2, 4, 8], ' ▁▂▄█'],
    [[5, 5], '██'],
    [[0, 0], '  '],
    [[], '']
  ]))
    it(`of ${values.join(', ') || 'nothing'} is "${line}"`, () => assert.equal(drawSparkline(values), line))
})

test('a terminal of 0 columns has 80, now and after it was resized', () => {
  const terminal = ensureWidth({ isTTY: true, columns: 0 })
  assert.equal(terminal.columns, 80)
  terminal.columns = 20
  assert.equal(terminal.columns, 20)
  terminal.columns = 0
  assert.equal(terminal.columns, 80)
})

test('a file keeps that it has no width', () => {
  assert.deepEqual(ensureWidth({}), {})
  assert.equal(getTerminalColumns({}), 80)
})

test('a line beside a mark has room for a letter in the narrowest terminal', () => {
  assert.deepEqual(
    [1, 5, 6, 20].map(columns => getSpinnerColumns({ columns })),
    [1, 1, 1, 15]
  )
})
