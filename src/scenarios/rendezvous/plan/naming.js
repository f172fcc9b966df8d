/** @typedef {import('../../../plan/plan.js').Plan} Plan */

/** NAMING of the cases of operations. @type {import('../../../plan/case-name.js').Naming} */
export const NAMING = {
  short: new Set([
    'benchmarkType',
    'nClients',
    'initialRegistrations',
    'nNamespaces',
    'benchmarkRuns',
    'duration'
  ]),
  inShort: (/** @type {Plan} */ plan, own) => [
    ...(own.has('benchmarkType') ? [plan.benchmarkType.toLowerCase()] : []),
    `c${plan.nClients}`,
    `r${plan.initialRegistrations}`,
    `ns${plan.nNamespaces}`,
    ...(plan.benchmarkRuns === null ? [] : [`ops${plan.benchmarkRuns}`]),
    ...(plan.durationMs === null ? [] : [`${plan.durationMs}ms`])
  ]
}
