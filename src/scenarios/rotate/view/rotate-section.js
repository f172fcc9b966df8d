import { html, phrase } from '../../../kit/html.js'
import { tableOf } from '../../../kit/html-table.js'
import { together } from '../../../report/page/section-parts.js'

/**
 * @typedef {import('../../../kit/plots/theme.js').Plot} Plot
 * @typedef {import('./rotate-tables.js').TitledTable} TitledTable
 */

/**
 * rotationSection is the part of a run's page about who rotated. It comes first: it is what the run was made for.
 *
 * @template R
 * @template {import('../../../result/types.js').AnyResult & { outcome: { rotation: R | null } }} T
 * @param {object} of
 * @param {(result: T, rotation: R) => string} of.words - above it
 * @param {(result: T) => Plot[]} of.plots
 * @param {(rotation: R, run: T['run']) => TitledTable[]} of.tables
 * @returns {import('../../../report/page/section.js').Section<T>}
 */
export const rotationSection = ({ words, plots, tables }) => ({
  id: 'rotation',
  title: 'Rotation',
  async body(/** @type {T} */ result, { draw }) {
    const { rotation } = result.outcome
    if (rotation === null) return null
    return together([
      html`<p class="quiet">${phrase(words(result, rotation))}</p>\n`,
      await draw(plots(result)),
      html`<div class="hot-spots">${tables(rotation, result.run).map(
        ({ title, table }) => html`<div><h3>${title}</h3>\n${tableOf(table, { label: title })}</div>\n`
      )}</div>\n`
    ])
  }
})
