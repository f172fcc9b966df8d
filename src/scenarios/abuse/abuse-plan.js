/**
 * @typedef {object} AbusePlan - the complete, validated, frozen parameters of one run of hostile peers beside honest clients
 * @property {'abuse'} scenario
 * @property {readonly string[]} kinds - with times of their own or without: `frames`, `frames×10`
 * @property {number} pairs - of a quiet and an abused stretch, of each case
 * @property {number} stretchMs
 * @property {number} warmupMs
 * @property {number} clients - that are honest
 * @property {number} ratePerSecond - of all of them together
 * @property {'process' | 'docker'} server - where our own runs
 * @property {boolean} stock - server and honest clients of ours are libp2p as published
 * @property {number | null} cpus - cores that it may use; null: all
 * @property {number | null} memoryBytes - it may use; null: all
 * @property {string | null} target - multiaddr; null: our own server
 * @property {number | null} targetPid
 * @property {string | null} targetContainer - name or id
 * @property {boolean} iOwnTheTarget
 * @property {number} seed
 * @property {readonly import('../../plan/threshold.js').Threshold[]} thresholds
 */

/**
 * abusePlan is a plan of this scenario, which other code is handed as a plan of any.
 *
 * @param {unknown} plan
 * @returns {AbusePlan}
 */
export const abusePlan = plan => /** @type {AbusePlan} */ (plan)
