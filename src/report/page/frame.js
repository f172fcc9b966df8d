import { Html, html, phrase } from '../../kit/html.js'
import { grouped, spell } from '../../kit/numbers.js'
import { tookMs } from '../ci/end-checks.js'
import { pageDocument } from './document.js'
import { statementList } from './verdict.js'

/**
 * @typedef {import('../../result/types.js').Result['run']} Run
 *
 * @typedef {object} PageHead - what a page is of, when it was made and on what
 * @property {string} what - scenario or study
 * @property {{ id: string, startedAt: string, finishedAt: string | null }} document
 * @property {Pick<Run, 'machine'> | undefined} [on] - a run
 * @property {string} [unended] - where it is not known when it ended
 *
 * @typedef {object} PageBody
 * @property {readonly string[]} sentences - that it begins with
 * @property {Html} [lead] - in place of them
 * @property {Html | null} [figures] - under them
 * @property {Html | null} [plot] - beside them
 * @property {import('./verdict.js').Statement[]} statements - what it is worth
 * @property {(Html | null)[]} sections
 * @property {Html} footer
 * @property {string} [description] - for who lists pages
 */

/** Section is a part of a page that its contents name. */
class Section extends Html {
  /** @param {string} id @param {string} title @param {Html} body */
  constructor(id, title, body) {
    super(String(html`<section id="${id}">\n<h2>${title}</h2>\n${body}</section>\n`))
    this.id = id
    this.title = title
  }
}

/** section is a part of a page; none where it has nothing to show. @param {string} id @param {string} title @param {Html | null} body @returns {Html | null} */
export const section = (id, title, body) => (body === null ? null : new Section(id, title, body))

/** With fewer parts a page is seen whole. */
const FEWEST_PARTS = 3

/** Contents stay in view. @param {readonly (Html | null)[]} sections */
function contentsOf(sections) {
  const parts = sections.filter(part => part instanceof Section)
  if (parts.length < FEWEST_PARTS) return null
  return html`<nav class="contents" aria-label="Contents">${parts.map(({ id, title }) => html`<a href="#${id}">${title}</a>\n`)}</nav>\n`
}

/** notesList are sentences under a table; none where there are none. @param {readonly string[]} lines */
export const notesList = lines =>
  lines.length === 0
    ? null
    : html`<ul class="notes">\n${lines.map(line => html`<li>${phrase(line)}</li>\n`)}</ul>\n`

/** commandSection says how it is done again. @param {string} command */
export const commandSection = command =>
  section('repeat', 'Repeat it', html`<pre><code>${command}</code></pre>\n`)

/** fileLink leads to a file beside a page. @param {string} file */
export const fileLink = file => html`<a href="${file}">${file}</a>`

/** studyFooter says what the page of a study is made from. @param {string | null} file - null: results alone @param {string} docs */
export const studyFooter = (file, docs) =>
  html`<footer class="quiet">Everything here is made from ${file === null ? null : html`${fileLink(file)} beside this page and `}the results of the runs. How it is decided, and how it can
mislead: ${docs}.</footer>\n`

/** @param {PageHead} head */
function when({ document, on, unended = 'its end was not written' }) {
  const { startedAt } = document
  const took = tookMs(document)
  return [
    `${startedAt.slice(0, 10)} ${startedAt.slice(11, 16)} UTC`,
    took === undefined ? unended : `took ${spell(took)}`,
    ...(on === undefined ? [] : [`${on.machine.cores} × ${on.machine.cpu}`])
  ].join(' · ')
}

/** @param {readonly string[]} sentences */
const leadOf = sentences =>
  html`<div class="lead">${sentences.map(text => html`<p>${phrase(text)}</p>\n`)}</div>\n`

/**
 * framedPage is the page of a run or a study: one HTML file that needs no network, and no script to be read.
 *
 * @param {PageHead} head
 * @param {PageBody} body
 * @returns {string}
 */
export function framedPage(
  head,
  {
    sentences,
    lead = leadOf(sentences),
    figures = null,
    plot = null,
    statements,
    sections,
    footer,
    description = sentences.join(' ')
  }
) {
  const { what, document } = head
  const heading = html`<h1>${what} · ${document.id}</h1>\n<p class="when quiet">${when(head)}</p>\n`
  const said = html`${heading}${lead}${figures}${statementList(statements)}`
  const first = plot === null ? said : html`<div class="first"><div>\n${said}</div>\n${plot}</div>\n`
  return pageDocument({
    title: `${document.id} · libp2p-loadtest`,
    description,
    body: [first, contentsOf(sections), ...sections, footer]
  })
}

/** environmentOf says on what a run was made. @param {Run} run @param {{ withLoad?: boolean }} [how] @returns {[string, string][]} */
export const environmentOf = ({ machine, versions }, { withLoad = true } = {}) => [
  [
    'Machine',
    `${machine.cores} × ${machine.cpu}, ${grouped(machine.memoryBytes / 1e6)} MB, ${machine.platform} ${machine.arch}`
  ],
  ...(withLoad
    ? [
        /** @type {[string, string]} */ ([
          'Load average at the start',
          machine.loadAverage.map(load => load.toFixed(2)).join(', ')
        ])
      ]
    : []),
  ...Object.entries(versions)
]
