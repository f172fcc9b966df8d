import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { makeSubStream } from '../../../../src/kit/random.js'
import { ProviderLimits } from '../../../../src/scenarios/transfer/run/provider.js'

const LIMITS = { maxInProgressRequests: 6, maxMemoryPerPeerBytes: 16, maxMemoryTotalBytes: 40 }

describe('the limits of a provider', () => {
  test('50 requests at once of each of 4 requestors never exceed them, and all are answered', async () => {
    const limits = new ProviderLimits(LIMITS)
    const random = makeSubStream(1, 'limits')
    let [inProgress, total, answered] = [0, 0, 0]
    /** @type {Record<string, number>} */
    const ofPeer = {}
    const most = { inProgress: 0, total: 0, peer: 0 }
    const request = async (/** @type {string} */ peer) => {
      const done = await limits.request(peer)
      most.inProgress = Math.max(most.inProgress, ++inProgress)
      for (let block = 0; block < 5; block++) {
        const bytes = 1 + Math.floor(random() * 16)
        const left = await limits.memory(peer, bytes)
        total += bytes
        ofPeer[peer] = (ofPeer[peer] ?? 0) + bytes
        most.total = Math.max(most.total, total)
        most.peer = Math.max(most.peer, ofPeer[peer])
        for (let turns = Math.floor(random() * 3); turns >= 0; turns--) await turn()
        total -= bytes
        ofPeer[peer] -= bytes
        left()
        // a second time changes nothing
        left()
      }
      inProgress--
      answered++
      done()
    }
    await Promise.all(['a', 'b', 'c', 'd'].flatMap(peer => Array.from({ length: 50 }, () => request(peer))))
    assert.deepEqual([answered, most.inProgress], [200, 6])
    assert.ok(most.total <= 40 && most.peer <= 16, JSON.stringify(most))
    const actual = { ...limits.most, waitingRequests: 0 }
    assert.deepEqual(actual, {
      ...{ inProgressRequests: 6, memoryPerPeerBytes: most.peer, memoryTotalBytes: most.total },
      waitingRequests: 0
    })
    assert.deepEqual([limits.waiting, limits.inProgress], [0, 0])
  })

  test('who waits is taken from the peers in turn, however many of one came first', async () => {
    const limits = new ProviderLimits({ ...LIMITS, maxInProgressRequests: 1 })
    const first = await limits.request('greedy')
    /** @type {string[]} */
    const order = []
    const ask = async (/** @type {string} */ name) => {
      const done = await limits.request(name)
      order.push(name)
      done()
    }
    const waiting = ['greedy', 'greedy', 'greedy', 'b', 'c'].map(ask)
    first()
    await Promise.all(waiting)
    assert.deepEqual(order, ['greedy', 'b', 'c', 'greedy', 'greedy'])
  })
})
