/**
 * customPlan is a plan of a user's own scenario, which other code is handed as a plan of any scenario: it has other options than those
 * that are known.
 *
 * @param {unknown} plan
 * @returns {import('./types.js').CustomPlan}
 */
export const customPlan = plan => /** @type {import('./types.js').CustomPlan} */ (plan)
