import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { drawSubscriptions } from '../../../../src/load/network-script.js'
import { makePublications } from '../../../../src/load/publications.js'
import { GossipPool, listNodesOfWorker } from '../../../../src/scenarios/gossip/run/pool.js'
import { gossipPlanned } from '../gossip-planned.js'

/** @typedef {import('../../../../src/scenarios/gossip/run/pool.js').GossipProcess} GossipProcess */

const PLAN = gossipPlanned({ nodes: '7', workers: '3', topology: 'line', messages: '40' })

/** @param {Partial<GossipProcess>[]} hosts */
function poolOf(hosts) {
  let resets = 0
  const pool = new GossipPool(
    /** @type {GossipProcess[]} */ (hosts),
    { plan: PLAN },
    { reset: () => void resets++ }
  )
  return { pool, resets: () => resets }
}

/** Hosts that give what a function of their place says. @param {(worker: number) => Partial<GossipProcess>} make */
const three = make => poolOf([0, 1, 2].map(make))

const died = async () => {
  throw new Error('worker 1 ended with SIGKILL')
}
const never = () => new Promise(() => {})

/** @param {string} name @returns {any} */
const told = name => async () => name

describe('the nodes of the workers', () => {
  it('are dealt, each to one of them', () =>
    assert.deepEqual(
      [0, 1, 2].map(worker => listNodesOfWorker(PLAN, worker)),
      [
        [0, 3, 6],
        [1, 4],
        [2, 5]
      ]
    ))

  it('are dealt back and forth where they are simulated: earlier ones have more neighbours', () => {
    const plan = gossipPlanned({ network: 'simulated', nodes: '7', workers: '3', topology: 'line' })
    const actual = [0, 1, 2].map(worker => listNodesOfWorker(plan, worker))
    assert.deepEqual(actual, [
      [0, 5, 6],
      [1, 4],
      [2, 3]
    ])
  })
})

/** @param {number} from @param {number} to */
const dial = (from, to) => ({ from, to })

describe('a pool of workers', () => {
  it('gives the peers of the whole network in the order of their nodes', async () => {
    const { pool } = three(worker => ({
      provision: async () =>
        listNodesOfWorker(PLAN, worker).map(node => ({ node, peerId: `p${node}`, multiaddr: '' }))
    }))
    const actual = (await pool.provision()).map(({ peerId }) => peerId)
    assert.deepEqual(actual, ['p0', 'p1', 'p2', 'p3', 'p4', 'p5', 'p6'])
  })

  it('lets every worker dial from its own nodes, and tells what came of all', async () => {
    /** @type {unknown[]} */
    const asked = []
    const { pool, resets } = three(worker => ({
      connect: async (dials, peers) => {
        asked[worker] = [dials, peers]
        return dials.map(dial => ({ ...dial, ms: worker, error: null }))
      }
    }))
    const dialled = await pool.connect(
      [
        [0, 1],
        [1, 2],
        [3, 2],
        [4, 5]
      ],
      []
    )
    assert.deepEqual(asked, [
      [[dial(0, 1), dial(3, 2)], []],
      [[dial(1, 2), dial(4, 5)], []],
      [[], []]
    ])
    const actual = dialled.flatMap(({ from, ms }) => [from, ms])
    assert.deepEqual(actual, [0, 0, 1, 1, 3, 0, 4, 1])
    assert.equal(resets(), 1, 'connections are counted from 0 again')
  })

  it('gives every worker its share of the schedule, and nothing is left over', async () => {
    /** @type {import('../../../../src/network/node-host.js').PublishStart[]} */
    const starts = []
    const { pool } = three(worker => ({
      schedule: async start => {
        starts[worker] = start
        return /** @type {any} */ ({ published: start.publications?.message.length })
      }
    }))
    const publications = makePublications(PLAN, drawSubscriptions(PLAN))
    const ends = await pool.schedule({ publications, startNs: 5, endNs: 9 })
    for (const [worker, { publications: share, startNs, endNs }] of starts.entries()) {
      assert.deepEqual([startNs, endNs], [5, 9])
      for (const node of share?.node ?? []) assert.ok(listNodesOfWorker(PLAN, worker).includes(node))
    }
    const actual = ends.reduce((sum, { published }) => sum + published, 0)
    assert.equal(actual, 40)
  })

  it('sends no schedule where nodes publish in their own time', async () => {
    const { pool } = three(() => ({
      schedule: async ({ publications }) => /** @type {any} */ (publications)
    }))
    assert.deepEqual(await pool.schedule({ publications: null, startNs: 0, endNs: 1 }), [null, null, null])
  })

  it('has every worker start and kill the nodes that take the places of its own', async () => {
    /** @type {import('../../../../src/network/node-host.js').ChurnStart[]} */
    const asked = []
    const { pool } = three(worker => ({
      churn: async churning => {
        asked[worker] = churning
      }
    }))
    const lives = [0, 1, 3, 5].map((slot, i) => ({
      slot,
      node: 7 + i,
      startMs: 10 * i,
      killMs: null,
      dials: []
    }))
    await pool.churn({ lives, startNs: 5, peers: [] })
    const actual = asked.flatMap(({ lives, startNs }) => [lives.map(({ slot }) => slot), startNs])
    assert.deepEqual(actual, [[0, 3], 5, [1], 5, [5], 5])
  })

  it('fails with what one of them fails with', async () => {
    const { pool } = three(worker => ({ snapshot: worker === 1 ? died : told('an interval') }))
    await assert.rejects(pool.snapshot(), /worker 1 ended with SIGKILL/)
  })

  it('takes the evidence of those that still answer', { timeout: 300_000 }, async t => {
    // what waits for last words keeps no process alive, and there is no other one here
    const alive = setInterval(() => {}, 1000)
    t.after(() => clearInterval(alive))
    const collect = [told('first'), died, /** @type {any} */ (never)]
    const { pool } = three(worker => ({ collect: collect[worker] }))
    assert.deepEqual(await pool.collect(), ['first'])
  })

  it('when a run is broken off, has every worker end what it does, then takes what it knows', async () => {
    /** @type {string[]} */
    const calls = []
    const { pool } = three(worker => ({
      abort: async reason => void calls.push(`abort ${worker} ${reason}`),
      snapshot: worker === 1 ? died : told('an interval'),
      collect: told('evidence')
    }))
    const words = /** @type {unknown} */ (await pool.breakOff('the run ends'))
    const all = { interval: 'an interval', end: 'evidence' }
    assert.deepEqual(words, [all, { interval: null, end: null }, all])
    assert.deepEqual(calls, ['abort 0 the run ends', 'abort 1 the run ends', 'abort 2 the run ends'])
  })

  it('then waits for no worker that is stopped or busy, and takes what the others know', {
    timeout: 300_000
  }, async t => {
    const alive = setInterval(() => {}, 1000)
    t.after(() => clearInterval(alive))
    const { pool } = three(worker => ({
      abort: worker === 0 ? /** @type {any} */ (never) : async () => {},
      snapshot: told('an interval'),
      collect: worker === 1 ? /** @type {any} */ (never) : told('evidence')
    }))
    assert.deepEqual(/** @type {unknown} */ (await pool.breakOff('the run ends')), [
      { interval: null, end: null },
      { interval: 'an interval', end: null },
      { interval: 'an interval', end: 'evidence' }
    ])
  })

  for (const how of /** @type {const} */ (['stop', 'kill']))
    it(`${how}s all of them`, async () => {
      let ended = 0
      await three(() => ({ [how]: async () => void ended++ })).pool[how]()
      assert.equal(ended, 3)
    })
})
