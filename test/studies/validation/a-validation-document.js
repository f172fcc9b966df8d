import '../../../src/node-shim.js'
import { newHead } from '../../../src/studies/study-document.js'
import { aGossipResult } from '../../scenarios/gossip/view/a-gossip-result.js'

/**
 * @typedef {import('../../../src/studies/validation/result/validation-document.js').ValidationDocument} ValidationDocument
 * @typedef {import('../../../src/studies/validation/result/validation-document.js').SideName} SideName
 */

const OPTIONS = { nodes: '10', messages: '20', linkLatency: '100ms' }

/** sideResult is a run of a side. @param {SideName} side @param {Record<string, unknown>} [more] - options */
export const sideResult = (side, more) =>
  aGossipResult({
    options: { ...OPTIONS, ...(side !== 'real' && { network: 'simulated', workers: '1' }), ...more }
  })

/**
 * aValidationDocument is a validation with one run of each side.
 *
 * @param {Partial<ValidationDocument>} [parts]
 * @param {Record<string, unknown>} [more] - options of the plans
 * @returns {ValidationDocument}
 */
export function aValidationDocument(parts = {}, more = {}) {
  /** @param {SideName} side */
  const runs = side => [
    {
      plan: sideResult(side, more).plan,
      status: /** @type {const} */ ('complete'),
      run: `${side}/1`,
      tookMs: 1000
    }
  ]
  return {
    ...newHead('a-validation', new Date(0)),
    ...{ status: 'complete', simulatedWith: null, verdict: null },
    runs: { real: runs('real'), simulated: runs('simulated'), slower: runs('slower') },
    ...parts
  }
}
