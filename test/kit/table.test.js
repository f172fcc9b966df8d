import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html } from '../../src/kit/safe-text.js'
import { asMarkdown } from '../../src/kit/text-layout.js'

/** @type {import('../../src/kit/text-layout.js').Table} */
const TABLE = { headings: ['Name', 'Figure'], align: ['l', 'r'], rows: [['a < b', '1 / 2']] }

test('a table is written as markdown, its columns as wide as their letters', () =>
  assert.equal(asMarkdown(TABLE), '| Name  | Figure |\n| :---- | -----: |\n| a < b |  1 / 2 |'))

test('what is put into a page is text, unless it is a piece of one', () => {
  assert.equal(String(html`<p>${'<b>'}${html`<i>x</i>`}${null}</p>`), '<p>&lt;b&gt;<i>x</i></p>')
  assert.equal(String(html`<p title='${`&"'`}'>`), "<p title='&amp;&quot;&#39;'>")
})
