import { html } from '../../../kit/html.js'
import { tableOf } from '../../../kit/html-table.js'
import { asMarkdown } from '../../../kit/table.js'
import { firstScreen } from '../../../report/page/first-screen.js'
import { framedPage, notesList, section } from '../../../report/page/frame.js'

/**
 * @typedef {import('../../../kit/html.js').Html} Html
 * @typedef {import('../../../kit/plots/theme.js').Plot} Plot
 * @typedef {import('../../../report/page/verdict.js').Statement} Statement
 *
 * @typedef {object} Part - of a comparison
 * @property {string} id
 * @property {string} title - on the page
 * @property {readonly import('../../../kit/table.js').Table[]} [tables]
 * @property {readonly string[]} [notes] - under them
 * @property {boolean} [further] - it stands in files, and not on the terminal of who runs a study
 *
 * @typedef {object} Description - a comparison as all of its views show it
 * @property {readonly string[]} sentences - what came out, the main thing first
 * @property {readonly Statement[]} statements - what it is worth, and what came of what it was held to
 * @property {readonly Part[]} parts
 *
 * @typedef {object} Drawing - what the page has beside them
 * @property {import('../../../report/page/answer.js').Answer} answer
 * @property {Readonly<Record<string, readonly Plot[]>>} plots - by the part that they stand in
 * @property {readonly (Html | null)[]} sections - under the parts
 * @property {Html} footer
 */

/** A list is one paragraph. @param {readonly string[]} lines */
const listOf = lines => lines.map(line => `- ${line}`).join('\n')

/**
 * descriptionText is a comparison as markdown.
 *
 * @param {Description} description
 * @param {{ whole?: boolean }} [how] - with all figures
 */
export function descriptionText({ sentences, statements, parts }, { whole = true } = {}) {
  const textOf = (/** @type {boolean} */ isFurther) =>
    parts
      .filter(({ further = false }) => further === isFurther)
      .flatMap(({ tables = [], notes = [] }) => [...tables.map(asMarkdown), listOf(notes)])
  const said = [sentences.join('\n'), ...textOf(false), listOf(statements.map(({ text }) => text))]
  return [...said, ...(whole ? textOf(true) : [])].filter(text => text !== '').join('\n\n')
}

/**
 * descriptionPage is the page of a comparison: one HTML file that needs no network, and no script to be read.
 *
 * @param {Description} description
 * @param {Drawing} drawing
 * @param {Omit<import('../../../report/page/frame.js').PageHead, 'what'>} head
 * @returns {Promise<string>}
 */
export async function descriptionPage({ sentences, statements, parts }, drawing, head) {
  const { answer, plots, sections, footer } = drawing
  const { shown, draw } = await firstScreen(answer)
  const shownParts = []
  for (const { id, title, tables = [], notes = [] } of parts) {
    const drawn = await draw([...(plots[id] ?? [])])
    const isEmpty = drawn === null && tables.length + notes.length === 0
    const cells = tables.map(table => tableOf(table, { label: table.headings[0] }))
    shownParts.push(section(id, title, isEmpty ? null : html`${drawn}${cells}${notesList(notes)}`))
  }
  const body = {
    ...shown,
    sentences,
    statements: [...statements],
    sections: [...shownParts, ...sections],
    footer
  }
  return framedPage({ ...head, what: 'comparison' }, body)
}
