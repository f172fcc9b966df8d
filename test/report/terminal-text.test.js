import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { asMarkdown } from '../../src/kit/table.js'
import { onTerminal, terminalText } from '../../src/report/terminal-text.js'

const WORDS = 'nothing that was watched: the server waited for something else, or other work slowed it down'
const CELLS = asMarkdown({
  headings: ['Cell', 'Load /s', 'Expected', 'Server CPU %', 'What was used up'],
  rows: [
    ['r=50, c=1', '50', '100', '49', ''],
    ['r=200, c=1', '200', '400', '54', `a \\| b, ${WORDS}`]
  ]
})

/** @param {string} text */
const widest = text => Math.max(...text.split('\n').map(line => line.length))

describe('the text of a study on a terminal', () => {
  it('of 80 columns has a block for each row of a table that is too wide, without empty cells', () => {
    const text = terminalText(`## Every cell\n\n${CELLS}\n\n* doubtful`, 80)
    assert.ok(widest(text) <= 80, text)
    assert.match(
      text,
      /^## Every cell\n\nCell r=50, c=1\n {2}Load \/s 50 {3}Expected 100 {3}Server CPU % 49\n\nCell r=200, c=1\n/m
    )
    assert.equal(text.match(/What was used up a \| b/g)?.length, 1)
    assert.match(text, /\n\n\* doubtful$/)
  })

  it('breaks no line of figures that fits', () => {
    const row = ['a', ...Array.from({ length: 12 }, (_, i) => String(1000 + i))]
    const headings = row.map((_, i) => `Heading ${i}`)
    const text = terminalText(asMarkdown({ headings, rows: [row] }), 67)
    assert.equal(widest(text), 67, text)
    assert.doesNotMatch(text, /^ {3}/m)
  })

  it('has names and values in lines, and breaks sentences between words', () => {
    const machine = asMarkdown({
      headings: ['Machine', 'Value'],
      align: ['l', 'l'],
      rows: [['believed for', WORDS]]
    })
    const text = terminalText(`- ${WORDS}.\n\n${machine}`, 60)
    assert.ok(widest(text) <= 60, text)
    assert.match(text, /^- nothing that was watched: .*\n {2}\w/)
    assert.match(text, /^believed for: nothing that was watched/m)
  })

  it('is as it is where there is room, and where it is no terminal', () => {
    assert.equal(terminalText(CELLS, 200), CELLS)
    const file = /** @type {any} */ ({ columns: undefined })
    assert.equal(onTerminal(CELLS, file), CELLS)
    assert.notEqual(onTerminal(CELLS, /** @type {any} */ ({ isTTY: true })), CELLS)
  })
})
