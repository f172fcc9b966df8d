import { html, phrase } from '../kit/html.js'
import { grouped, spell } from '../kit/numbers.js'
import { listing, planListing } from '../report/page/about.js'

/**
 * @typedef {import('./saturation/result/saturation-document.js').Head} Head
 * @typedef {import('../result/types.js').Result} Result
 * @typedef {import('../scenarios/gossip/gossip-types.js').AnyResult} AnyResult
 * @typedef {import('../kit/html.js').Html} Html
 */

/** section is a part of a page; none where it has nothing to show. @param {string} id @param {string} title @param {Html | null} body */
export const section = (id, title, body) =>
  body === null ? null : html`<section id="${id}">\n<h2>${title}</h2>\n${body}</section>\n`

/** noteList are sentences under a table. @param {readonly string[]} lines */
export const noteList = lines =>
  lines.length === 0
    ? null
    : html`<ul class="notes">\n${lines.map(line => html`<li>${phrase(line)}</li>\n`)}</ul>\n`

/**
 * heading says what a page is of, when it was made and on what.
 *
 * @param {Pick<Head, 'id' | 'startedAt' | 'finishedAt'>} document
 * @param {string} command
 * @param {{ run: Pick<Result['run'], 'machine'> } | undefined} first - a run
 */
export function heading({ id, startedAt, finishedAt }, command, first) {
  const took = finishedAt === null ? null : Date.parse(finishedAt) - Date.parse(startedAt)
  const when = [
    `${startedAt.slice(0, 10)} ${startedAt.slice(11, 16)} UTC`,
    took === null ? 'its end was not written' : `took ${spell(took)}`,
    ...(first === undefined ? [] : [`${first.run.machine.cores} × ${first.run.machine.cpu}`])
  ].join(' · ')
  return html`<h1>${command} · ${id}</h1>\n<p class="when quiet">${when}</p>\n`
}

/** lead are the sentences that a page begins with. @param {readonly string[]} sentences */
export const lead = sentences =>
  html`<div class="lead">${sentences.map(text => html`<p>${phrase(text)}</p>\n`)}</div>\n`

/** commandSection says how it is done again. @param {string} command */
export const commandSection = command =>
  section('repeat', 'Repeat it', html`<pre><code>${command}</code></pre>\n`)

/**
 * aboutRuns says on what runs were made, and with which parameters.
 *
 * @param {AnyResult | undefined} first - a run
 * @param {string} many - what runs differ in, beside the rate
 * @param {import('../report/view.js').View} view
 */
export function aboutRuns(first, many, { against }) {
  if (first === undefined) return null
  const { machine, versions } = first.run
  const { cpu, cores, memoryBytes, platform, arch, loadAverage } = machine
  return section(
    'about',
    'About these runs',
    html`${listing('Environment', [
      against.repeatedly(first),
      ['Machine', `${cores} × ${cpu}, ${grouped(memoryBytes / 1e6)} MB, ${platform} ${arch}`],
      ['Load average at the start', loadAverage.map(load => load.toFixed(2)).join(', ')],
      ...Object.entries(versions)
    ])}<details><summary>Every parameter of the first run; others differ in rate and ${many}</summary>
${planListing(first.plan)}</details>\n`
  )
}

/** footer says what a page is made from. @param {string} file @param {string} docs */
export const footer = (file, docs) =>
  html`<footer class="quiet">Everything here is made from ${file} beside this page and the results of the runs. How it is decided, and how it can
mislead: ${docs}.</footer>\n`
