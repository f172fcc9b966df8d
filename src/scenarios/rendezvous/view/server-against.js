/** @typedef {import('../../../result/types.js').Result} Result */

/** @param {Result} result @returns {[string, string]} */
const once = ({ outcome: { target } }) => [
  'Server',
  [target.kind, target.multiaddr].filter(Boolean).join(' at ')
]

/** @param {Result} result @returns {[string, string]} */
const repeatedly = ({ outcome, plan }) => [
  'Server',
  `${outcome.target.kind}, ${plan.target === null ? 'a fresh one for every run' : 'not ours, the same for all runs'}`
]

/** SERVER_AGAINST says which server a run, or each of many, was held against. @type {import('../../../report/view.js').ScenarioView<import('../../../result/types.js').Result>['against']} */
export const SERVER_AGAINST = { once, repeatedly }
