import { estimateMs } from './estimate.js'
import { usualRepeats } from './order.js'
import { TRANSFER_OPTIONS } from './transfer-options.js'
import { transferRules } from './transfer-rules.js'
import { CORE_WAYS, wayLacks } from './ways.js'

/**
 * @typedef {import('../transfer-plan.js').TransferPlan} TransferPlan
 * @typedef {import('./ways.js').Way} Way
 */

/** @param {Record<string, any>} values @returns {Way[]} that would be taken if all could */
const wantedWays = ({ compareHttp, compareLibp2pHttp }) =>
  CORE_WAYS.filter(way => (way !== 'http' || compareHttp) && (way !== 'libp2p-http' || compareLibp2pHttp))

/** @param {Record<string, any>} values @returns {readonly Way[]} */
const waysOf = values => values.ways ?? wantedWays(values).filter(way => wayLacks(way) === null)

/** @param {Record<string, any>} values @returns {TransferPlan['leftOut']} */
const leftOutOf = values =>
  values.ways === undefined
    ? wantedWays(values).flatMap(way => {
        const why = wayLacks(way)
        return why === null ? [] : [{ way, why }]
      })
    : []

/**
 * @param {Record<string, any>} picked
 * @param {Record<string, any>} values
 */
function toPlan({ compareHttp: _, compareLibp2pHttp: __, ...picked }, values) {
  const ways = Object.freeze(waysOf(values))
  return {
    scenario: 'transfer',
    ...picked,
    ways,
    leftOut: Object.freeze(leftOutOf(values)),
    repeats: values.repeats ?? usualRepeats(ways.length),
    thresholds: Object.freeze(values.threshold ?? [])
  }
}

/** TRANSFER_KIND makes plans of transfers. @type {Readonly<import('../../scenario.js').Kind & { estimateMs: any }>} */
export const TRANSFER_KIND = {
  options: TRANSFER_OPTIONS,
  combinations: transferRules(waysOf),
  rivals: [],
  toPlan,
  // they say which ways there are, which the plan names
  flat: plan => ({ ...plan, compareHttp: true, compareLibp2pHttp: true }),
  unsaid: () => [],
  estimateMs
}
