/**
 * How plans and results of a scenario are described. Only types live here.
 *
 * @typedef {Readonly<import('./description/description.js').Describe & { scenario: import('../scenarios/scenario.js').Scenario }>} View
 *
 * @typedef {(of: { scenario: string }) => View} ViewOf - of a plan, a result or the table of a matrix
 */
export {}
