/**
 * loadViews loads how plans and results of some scenarios are shown.
 *
 * @param {Iterable<{ scenario: string }>} shown - plans, results or tables of matrices
 * @param {import('../scenarios/index.js').FindScenario} find
 * @returns {Promise<import('./view.js').ViewOf>}
 */
export async function loadViews(shown, find) {
  const names = [...new Set([...shown].map(({ scenario }) => scenario))]
  const views = await Promise.all(names.map(async name => (await find(name))?.view()))
  const byName = new Map(names.map((name, place) => [name, views[place]]))
  return ({ scenario }) => /** @type {import('./view.js').View} */ (byName.get(scenario))
}
