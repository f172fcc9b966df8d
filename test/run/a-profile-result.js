import { findHotSpots, foldProfiles, sumAllocations } from '../../src/run/profiles.js'
import { aGossipResult } from '../scenarios/gossip/a-gossip-result.js'
import { makePlanOf } from '../scenarios.js'
import { ENCODE, madeUpHeap, madeUpProfile, RECEIVE, VERIFY } from './made-up-profile.js'

/**
 * @typedef {import('../../src/scenarios/gossip/outcome.js').GossipResult} GossipResult
 * @typedef {import('./made-up-profile.js').Frame} Frame
 */

/**
 * aProfileResult is a result of a profiled network whose two workers spent so much time on signatures.
 *
 * @param {object} [shape]
 * @param {number} [shape.verifyMicros]
 * @param {Record<string, unknown>} [shape.options]
 * @param {string} [shape.id]
 * @param {boolean} [shape.allocations] - are sampled too
 * @returns {GossipResult}
 */
export function aProfileResult({
  verifyMicros = 3000,
  options = {},
  id = '20261120-0712-profile-7',
  allocations = false
} = {}) {
  const profiles = [0, 1].map(() =>
    madeUpProfile(
      [1000, RECEIVE],
      [verifyMicros, RECEIVE, VERIFY, 'run'],
      [4000, '(idle)'],
      [2000, '(garbage collector)'],
      [2000, RECEIVE, ENCODE]
    )
  )
  const { plan, problems } = makePlanOf('profile', { duration: '20s', workers: 2, ...options })
  if (plan === undefined) throw new Error(JSON.stringify(problems))
  const gossip = aGossipResult()
  return {
    ...gossip,
    id,
    plan: /** @type {GossipResult['plan']} */ (plan),
    outcome: {
      ...gossip.outcome,
      profile: {
        hotSpots: findHotSpots(profiles),
        folded: foldProfiles(profiles),
        files: ['worker-0.cpuprofile', 'worker-1.cpuprofile'],
        workers: [0, 1],
        intervalMicros: 1000
      },
      ...(allocations && {
        allocations: {
          ...sumAllocations([madeUpHeap([6e6, RECEIVE], [2e6, ENCODE])]),
          ...{ files: ['worker-0.heapprofile'], workers: [0], intervalBytes: 32_768 }
        }
      })
    }
  }
}
