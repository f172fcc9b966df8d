import { html, phrase } from '../../kit/html.js'
import { figure } from '../table.js'

/**
 * @typedef {object} Answer - what people look for first
 * @property {readonly (readonly [name: string, value: string])[]} figures - four at most
 * @property {readonly import('../../kit/plots/theme.js').Plot[]} plots - one at most
 */

/** NO_ANSWER: nothing was measured. @type {Answer} */
export const NO_ANSWER = { figures: [], plots: [] }

/** answerFigures shows figures large. @param {Answer['figures']} figures */
export const answerFigures = figures =>
  figures.length === 0
    ? null
    : html`<dl class="tiles">
${figures.map(([name, value]) => html`<div><dt>${name}</dt><dd>${phrase(value)}</dd></div>\n`)}</dl>\n`

/** timeFigure writes a percentile. @param {import('../../result/types.js').Percentile | null} time */
export const timeFigure = time => (time === null ? 'too few' : `${figure(time)} ms`)
