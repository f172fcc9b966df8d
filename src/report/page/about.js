import { html } from '../../kit/html.js'
import { tableOf } from '../../kit/html-table.js'

import { spell } from '../../kit/numbers.js'
import { planCommandLine, repeatCommandLine } from '../repeat.js'

import { shortJson } from '../short-json.js'
import { environmentOf, section } from './frame.js'

/**
 * @typedef {import('../../result/types.js').AnyResult} AnyResult
 * @typedef {import('../view.js').View} View
 * @typedef {import('../../kit/html.js').Html} Html
 */

/** @param {unknown} value */
function words(value) {
  if (value === null) return '–'
  if (Array.isArray(value) && value.every(item => typeof item?.text === 'string'))
    return value.map(({ text }) => text).join('; ') || '–'
  if (Array.isArray(value) && value.every(item => typeof item === 'string')) return value.join(', ')
  return typeof value === 'object' ? shortJson(value) : String(value)
}

/**
 * listing is a table of names and values.
 *
 * @param {string} label
 * @param {[string, string][]} entries
 */
export const listing = (label, entries) =>
  tableOf(
    {
      headings: [label, 'Value'],
      align: ['l', 'l'],
      rows: entries.map(([name, value]) => [name, html`<span>${value}</span>`])
    },
    { label }
  )

/**
 * planListing is a table of every parameter of a plan.
 *
 * @param {object} plan
 */
const planListing = plan =>
  listing(
    'Parameter',
    Object.entries(plan).map(([name, value]) => [name, words(value)])
  )

/**
 * planSection says how to repeat a run, and all its parameters.
 *
 * @param {AnyResult} result
 * @param {{ folder: string | undefined, view: Pick<View, 'scenario'> }} tools
 * @returns {Html}
 */
export const planSection = ({ plan }, { folder, view }) => html`<p>The same plan again:</p>
<pre><code>${planCommandLine(plan, view.scenario)}</code></pre>
${folder === undefined ? null : html`<p>or, where its folder is at hand:</p>\n<pre><code>${repeatCommandLine(folder, plan, view.scenario)}</code></pre>\n`}<details><summary>Every parameter of the plan</summary>
${planListing(plan)}</details>
`

/** @param {AnyResult} result */
function phases({ run }) {
  if (run.phases.length === 0) return null
  return tableOf(
    {
      headings: ['Phase', 'State', 'Began after', 'Took', 'Detail'],
      align: ['l', 'l', 'r', 'r', 'l'],
      rows: run.phases.map(({ name, state, startMs, durationMs, detail }) => [
        name,
        state,
        spell(startMs),
        durationMs === null ? '–' : spell(durationMs),
        detail ?? ''
      ])
    },
    { label: 'Phases' }
  )
}

/** @param {AnyResult} result @param {View} view @returns {[string, string][]} */
const settings = (result, view) =>
  view.settings
    .read(result)
    .map(({ whose, name, value, why }) => [
      whose === '' ? name : `${whose}: ${name}`,
      why === null ? words(value) : `${words(value)}: ${why}`
    ])

/**
 * aboutSection says when, where and with what a run was made.
 *
 * @param {AnyResult} result
 * @param {{ view: View }} tools
 * @returns {Html}
 */
export function aboutSection(result, { view }) {
  const changed = settings(result, view)
  return html`${phases(result)}${listing('Environment', [view.against.once(result), ...environmentOf(result.run)])}${
    changed.length === 0
      ? null
      : html`<details><summary>Settings other than the defaults of libraries and specification</summary>
${listing('Setting', changed)}</details>
`
  }`
}

/**
 * aboutRuns says on what the runs of a study were made, and with which parameters.
 *
 * @param {AnyResult | undefined} first - a run
 * @param {string} which - runs differ in what
 * @param {{ against?: View['against'], more?: Html | null }} how - `against`: where they were held against something; `more`: stands
 *   under it
 */
export function aboutRuns(first, which, { against, more = null }) {
  if (first === undefined) return null
  return section(
    'about',
    'About these runs',
    html`${listing('Environment', [
      ...(against === undefined ? [] : [against.repeatedly(first)]),
      ...environmentOf(first.run)
    ])}<details><summary>Every parameter of the first ${which}</summary>
${planListing(first.plan)}</details>
${more}`
  )
}
