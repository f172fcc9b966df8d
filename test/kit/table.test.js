import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html, markdownText } from '../../src/kit/html.js'
import { tableOf } from '../../src/kit/html-table.js'
import { asMarkdown } from '../../src/kit/table.js'

/** @type {import('../../src/kit/table.js').Table} */
const TABLE = { headings: ['Name', 'Figure'], align: ['l', 'r'], rows: [['a < b', '1 / 2']] }

test('a table is written as markdown, its columns as wide as their letters', () =>
  assert.equal(asMarkdown(TABLE), '| Name  | Figure |\n| :---- | -----: |\n| a < b |  1 / 2 |'))

test('a table of a page says what it is, and nothing in it is taken for markup', () => {
  const text = String(tableOf(TABLE, { label: 'Figures', withPublished: true }))
  assert.match(text, /aria-label="Figures"/)
  assert.match(text, /a &lt; b/)
  assert.match(text, /1 <s>\/ 2<\/s>/)
})

test('what is put into a page is text, unless it is a piece of one', () => {
  assert.equal(String(html`<p>${'<b>'}${html`<i>x</i>`}${null}</p>`), '<p>&lt;b&gt;<i>x</i></p>')
  assert.equal(String(markdownText('**a** and `<b>`')), '<strong>a</strong> and <code>&lt;b&gt;</code>')
})
