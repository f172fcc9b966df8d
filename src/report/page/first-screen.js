import { drawer } from '../../kit/plots/drawer.js'
import { loadRenderer } from '../../kit/plots/render.js'
import { answerFigures } from './answer.js'

/**
 * @typedef {import('../../kit/plots/drawer.js').Draw} Draw
 *
 * @typedef {object} FirstScreen - what a page begins with, beside its sentences
 * @property {{ figures: import('../../kit/html.js').Html | null, plot: import('../../kit/html.js').Html | null }} shown
 * @property {Draw} draw - what follows: a plot is shown once
 */

/**
 * firstScreen draws what people look for first.
 *
 * @param {import('./answer.js').Answer} answer
 * @returns {Promise<FirstScreen>}
 */
export async function firstScreen({ figures, plots }) {
  const draw = drawer(loadRenderer)
  const ids = new Set(plots.map(({ id }) => id))
  return {
    shown: { figures: answerFigures(figures), plot: await draw([...plots]) },
    draw: all => draw(all.filter(({ id }) => !ids.has(id)))
  }
}
