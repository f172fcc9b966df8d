import { allScenarios } from '../../scenarios/index.js'

/**
 * @typedef {import('../../scenarios/saturation.js').Saturation & { scenario: import('../../scenarios/scenario.js').Scenario }} Saturated
 */

const found = await Promise.all(
  (await allScenarios()).map(async scenario => ({ ...(await scenario.saturation?.()), scenario }))
)

/**
 * SATURATED are the scenarios whose load can be found out, by name.
 *
 * @type {Readonly<Record<string, Saturated>>}
 */
export const SATURATED = Object.fromEntries(
  found.flatMap(saturated =>
    'own' in saturated ? [[saturated.scenario.name, /** @type {Saturated} */ (saturated)]] : []
  )
)

/** saturatedBy is what is known of the scenario of a plan or a document. @param {{ scenario: string }} of */
export const saturatedBy = ({ scenario }) => SATURATED[scenario]
