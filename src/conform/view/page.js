import { html, markdownText } from '../../kit/html.js'
import { tableOf } from '../../kit/html-table.js'
import { byGroup } from '../../kit/lists.js'
import { counted } from '../../kit/numbers.js'
import { pageDocument } from '../../report/page/document.js'
import { statementList } from '../../report/page/verdict.js'
import { tableOfGroup } from '../document.js'
import { SPECIFICATION } from '../specification.js'
import { countsOf, leftText } from './text.js'

/**
 * @typedef {import('../document.js').Document} Document
 * @typedef {import('../../report/page/verdict.js').Statement} Statement
 */

/** Columns of sentences. */
const WRAPPED = [1, 2, 3]
const SENTENCE = 3

/** @type {readonly (readonly [verdict: string, tone: Statement['tone'], text: string])[]} */
const STATEMENTS = [
  ['fail', 'bad', 'failed: against the specification, or the target answered no more.'],
  ['differs', 'mind', 'came out otherwise than recommended, or than most do, which is allowed.'],
  ['not tested', 'mind', 'could not be tried: the tables say why.'],
  ['pass', 'good', 'passed.']
]

/** @param {Document} document @returns {Statement[]} */
const statements = ({ outcomes, left }) => [
  ...STATEMENTS.flatMap(([verdict, tone, text]) => {
    const many = outcomes.filter(outcome => outcome.verdict === verdict).length
    return many === 0 ? [] : [{ tone, text: `${counted(many, 'check')} ${text}` }]
  }),
  { tone: left === 0 ? 'good' : 'mind', text: leftText(left) }
]

/** @param {import('../examine.js').Outcome[]} group */
function tableOfChecks(group) {
  const { rows, ...head } = tableOfGroup(group)
  const cells = rows.map(row => row.map((cell, column) => (column === SENTENCE ? markdownText(cell) : cell)))
  return { ...head, rows: cells }
}

/** pageOf is an examination as a page. @param {Document} document */
export function pageOf(document) {
  const { address, version, startedAt, outcomes } = document
  return pageDocument({
    title: `Conformance of ${address}`,
    description: `A rendezvous server held against ${SPECIFICATION.title}`,
    body: [
      html`<h1>conform · ${address}</h1>\n<p class="when quiet">${startedAt} · libp2p-loadtest ${version} · <a
 href="${SPECIFICATION.url}">${SPECIFICATION.title}</a></p>\n`,
      html`<div class="lead"><p>${countsOf(outcomes)}</p></div>\n`,
      statementList(statements(document)),
      ...byGroup(outcomes).map(
        ([title, group]) =>
          html`<section>\n<h2>${title}</h2>\n${tableOf(tableOfChecks(group), { label: title, wrapped: WRAPPED })}</section>\n`
      )
    ]
  })
}
