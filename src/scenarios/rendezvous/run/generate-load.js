import { bounded, shareOf, together } from '../../../load/arrivals.js'
import { runClosedLoop } from '../../../load/closed-loop.js'
import { offeredLoad, steadyLoad } from '../../../load/offered-load.js'
import { runOpenLoop } from '../../../load/open-loop.js'
import { groupsOf, placesOf } from '../../../load/roles.js'
import { sharesOf } from '../../../load/shares.js'
import { thinkTimes } from '../../../load/think-time.js'

/**
 * @typedef {Pick<import('./load-worker.js').WorkerSetup, 'plan' | 'index' | 'workers' | 'clients' | 'allClients'>} Setup
 *
 * @typedef {object} OwnParts
 * @property {bigint} startNs - when all workers begin
 * @property {import('./load-worker.js').Phase} phase
 * @property {{ arrivals: (() => number)[], thinkTimes: (() => number)[] }} draws - random ones: of arrivals for each group of clients, of think
 *   times for each client
 * @property {readonly Pick<import('./load-client.js').LoadClient, 'perform' | 'drop'>[]} clients
 * @property {readonly import('../../../load/mix.js').OperationTypes[]} types - one for each client
 * @property {import('../../../load/pacer.js').Pacer} pacer
 * @property {AbortSignal} signal - begins no further operation
 *
 * @typedef {OwnParts & import('../../../load/load-length.js').LoadLength} LoadParts
 */

/**
 * generateLoad generates a worker's share of the load, by the load model of the plan.
 *
 * @param {Setup} setup
 * @param {LoadParts} load
 */
export const generateLoad = (setup, load) =>
  setup.plan.ratePerSecond == null ? runClosed(setup, load) : runOpen(setup, load)

/** @param {Setup} setup @param {LoadParts} load */
async function runClosed({ plan }, { durationMs, minDurationMs, startNs, draws, clients, types, signal }) {
  const after = (/** @type {number} */ ms) => startNs + BigInt(Math.round(ms * 1e6))
  const endNs = durationMs === null ? null : after(durationMs)
  const leastNs = minDurationMs === 0 ? null : after(minDurationMs)
  const isOver = () => signal.aborted || (endNs !== null && process.hrtime.bigint() >= endNs)
  const { thinkTimeMs, inFlight: lanes } = plan
  await Promise.all(
    clients.map((client, i) => {
      let left = types[i].operations
      return runClosedLoop({
        lanes,
        operations: leastNs === null ? left : Infinity,
        stopped: () => isOver() || (leastNs !== null && left <= 0 && process.hrtime.bigint() >= leastNs),
        think:
          thinkTimeMs == null
            ? null
            : thinkTimes(thinkTimeMs, { random: draws.thinkTimes[i], endNs, signal }),
        perform: () => {
          left--
          return client.perform(types[i].next(), null)
        }
      })
    })
  )
}

/** @param {Setup} setup @param {LoadParts} parts */
function runOpen(setup, parts) {
  const { startNs, clients, types, pacer, signal } = parts
  const shares = groupsOf(setup.plan)
    .map((group, i) => shareIn(group, parts.draws.arrivals[i], setup, parts))
    .filter(({ places }) => places.length > 0)
  const placeOf = (/** @type {import('../../../load/arrivals.js').Arrival} */ { of, nth }) =>
    shares[of].places[nth % shares[of].places.length]
  return runOpenLoop({
    arrivals: together(shares.map(({ arrivals }) => arrivals)),
    offsetOf: ({ offset }) => offset,
    startNs,
    maxInFlight: Math.ceil(setup.plan.maxInFlight / setup.workers),
    signal,
    pacer,
    perform: (dueNs, _, arrival) => {
      const i = placeOf(arrival)
      return clients[i].perform(types[i].next(), dueNs)
    },
    drop: (dueNs, _, arrival) => clients[placeOf(arrival)].drop(types[placeOf(arrival)].next(), dueNs)
  })
}

/**
 * A worker's share of what is due from a group of clients: that of those it holds. Client k of all is of worker k mod n, so that the first of
 * a group need not be of the first worker.
 *
 * @param {import('../../../load/roles.js').Group} group
 * @param {() => number} random
 * @param {Setup} setup
 * @param {Pick<LoadParts, 'operations' | 'durationMs' | 'phase'>} parts
 */
function shareIn(group, random, { index, workers, clients, plan }, { operations, durationMs, phase }) {
  const bounds = {
    count: operations ?? Infinity,
    durationNs: durationMs == null ? Infinity : durationMs * 1e6
  }
  const load = phase === 'warmup' ? steadyLoad : offeredLoad
  const due = bounded(load({ ...plan, ratePerSecond: group.ratePerSecond ?? 0 }, random), bounds)
  const inGroup = (index + workers - (group.first % workers)) % workers
  return {
    places: placesOf(group, clients),
    arrivals: shareOf(due, { index: inGroup, workers, hands: group.clients })
  }
}

/**
 * operationsByClient deals out how many operations fall to each of a worker's clients, whatever the workers.
 *
 * @param {Pick<Setup, 'clients' | 'allClients'>} setup
 * @param {number | null} operations - of all workers
 * @returns {number[]}
 */
export function operationsByClient({ clients, allClients }, operations) {
  if (operations == null) return clients.map(() => Infinity)
  const shares = sharesOf(operations, allClients)
  return clients.map(client => shares[client])
}
