import { makeLives } from '../../../src/load/churn.js'
import { ChurnMeasurement } from '../../../src/scenarios/gossip/churn.js'
import { validPlanOf } from '../../scenarios.js'
import { aGossipResult } from './a-gossip-result.js'
import { publishedRows, receivedRows } from './measure/rows.js'

/** @typedef {import('../../../src/scenarios/gossip/outcome.js').GossipResult} GossipResult */

const OPTIONS = {
  ...{ nodes: 6, topology: 'full', churn: '2,every=4s,away=2s,settle=2s', duration: '12s', rate: '1/s' },
  workers: 2
}

/** @returns {GossipResult['plan']} */
const plan = () => validPlanOf('gossip', OPTIONS)

/** What hosts told in 12 s: everyone receives everything after 10 ms, and who is new asks for the message before it too. */
function measured() {
  const rotating = plan()
  const lives = makeLives(rotating)
  const measurement = new ChurnMeasurement(rotating, {
    subscriptions: Array.from({ length: 8 }, () => [0]),
    stretch: { startNs: 0, planned: 12 }
  })
  const isUp = (/** @type {number} */ node, /** @type {number} */ ms) => {
    const life = lives.find(life => life.node === node)
    if (life === undefined) return node < 4
    return ms >= (life.startMs ?? 0) && ms < (life.killMs ?? Number.POSITIVE_INFINITY)
  }
  for (let second = 0; second < 12; second++) {
    const atMs = second * 1000 + 500
    const up = [0, 1, 2, 3, 4, 5, 6, 7].filter(node => isUp(node, atMs))
    const receipts = up
      .filter(node => node > 0)
      .map(node => ({ message: second, node, from: 0, atMs: atMs + 10 }))
    const asked = up
      .filter(node => !isUp(node, atMs - 1000) && second > 0)
      .map(node => ({ message: second - 3, node, from: 1, atMs: atMs + 100 }))
    const changes = up.filter(node => node > 5 && !isUp(node, atMs - 1000))
    const interval = {
      atNs: (second + 1) * 1e9,
      published: publishedRows([{ message: second, node: 0, atMs }]),
      changes: [
        ...changes.map(node => ({
          node,
          startedNs: second * 1e9,
          connectedNs: second * 1e9 + 200e6,
          dialsFailed: 0
        })),
        ...lives
          .filter(({ killMs }) => killMs === second * 1000)
          .map(({ node }) => ({ node, killedNs: second * 1e9 }))
      ],
      peers: up.map(node => ({ node, peers: up.length - 1 }))
    }
    measurement.take(/** @type {any} */ (interval), receivedRows([...receipts, ...asked]))
  }
  return measurement.result()
}

/**
 * aChurnedGossipResult is a result of a network with churn: two nodes were killed and replaced.
 *
 * @returns {GossipResult}
 */
export function aChurnedGossipResult() {
  const gossip = aGossipResult()
  return {
    ...gossip,
    ...{ id: '20261120-0712-gossip-1', plan: plan(), outcome: { ...gossip.outcome, churn: measured() } }
  }
}
