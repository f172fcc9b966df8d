import { asMarkdown } from '../../../kit/table.js'

/**
 * allFigures are the cells of all figures of several sides of a comparison, as their scenario has them.
 *
 * @param {readonly import('../comparison.js').Side[]} sides - of one scenario; the first is the base
 */
export const allFigures = async sides => (await sides[0].scenario.view()).beside(sides)

/**
 * sideBySide are their markdown tables.
 *
 * @param {readonly import('../comparison.js').Side[]} sides
 * @returns {Promise<string>}
 */
export async function sideBySide(sides) {
  const { tables, notes } = await allFigures(sides)
  return [...tables.map(asMarkdown), ...notes].join('\n\n')
}
