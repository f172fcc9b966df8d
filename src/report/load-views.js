/** @typedef {import('./view.js').View} View */

/**
 * loadViews loads how plans and results of some scenarios are described.
 *
 * @param {Iterable<{ scenario: string }>} shown - plans, results or tables of matrices
 * @param {import('../scenarios/index.js').FindScenario} find
 * @returns {Promise<import('./view.js').ViewOf>}
 */
export async function loadViews(shown, find) {
  const names = new Set([...shown].map(({ scenario }) => scenario))
  /** @type {Map<string, View>} */
  const views = new Map()
  for (const name of names) {
    const scenario = await find(name)
    if (scenario === undefined) continue
    const view = { ...(await scenario.describe()), scenario }
    // an older document may name what is a property of that scenario now: results are read as its own
    for (const each of [name, scenario.name]) views.set(each, view)
  }
  return ({ scenario }) => /** @type {View} */ (views.get(scenario))
}
