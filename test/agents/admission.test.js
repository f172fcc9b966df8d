import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { admitPlan, makeAdmissionCheck } from '../../src/agents/admission.js'
import { planned } from '../plan/planned.js'

const PEER = '/tcp/8000/p2p/12D3KooWKrEPfpTRBNoH35vgD2cQysyNchGY1yNvdq6vFqNXsdMk'
/** @type {import('../../src/agents/admission.js').AdmissionLimits} */
const ANY = { maxClients: null, maxRate: null, allowTargets: null }

/** @param {Record<string, unknown>} options @param {Partial<typeof ANY>} [limits] @param {number} [workers] */
const admits = (options, limits = {}, workers = 1) =>
  admitPlan(planned({ workers: 4, nClients: 8, ...options }), { limits: { ...ANY, ...limits }, workers })

describe("what an agent's owner allows", () => {
  it('is everything by default, but targets with a public address', () => {
    admits({})
    admits({ target: `/ip4/192.168.1.5${PEER}` })
    const mine = planned({ workers: 4, nClients: 8, target: `/ip4/203.0.113.9${PEER}`, iOwnTheTarget: true })
    admitPlan(mine, { limits: ANY, workers: 1 })
    assert.throws(
      () => admitPlan({ ...mine, iOwnTheTarget: false }, { limits: ANY, workers: 1 }),
      /203\.0\.113\.9.*--iOwnTheTarget/
    )
  })

  it('is so many clients of those that fall to it', () => {
    admits({}, { maxClients: 2 })
    assert.throws(() => admits({}, { maxClients: 2 }, 2), /allows 2 clients, but its share is 4/)
  })

  it('is a rate, which the closed model has not', () => {
    admits({ rate: '400/s' }, { maxRate: 100 })
    assert.throws(() => admits({ rate: '401/s' }, { maxRate: 100 }), /allows 100\/s/)
    assert.throws(() => admits({}, { maxRate: 100 }), /this run has no rate/)
  })

  it('is a rate of all roles together, whatever a plan says of their sum', () => {
    const roles = {
      nClients: undefined,
      providers: 4,
      discoverers: 4,
      providerRate: 100,
      discovererRate: 300
    }
    admits(roles, { maxRate: 100 })
    assert.throws(() => admits(roles, { maxRate: 99 }), /allows 99\/s, but its share is 100\/s/)
    const sly = { ...planned({ ...roles, workers: 4 }), ratePerSecond: 1 }
    assert.throws(
      () => admitPlan(sly, { limits: { ...ANY, maxRate: 99 }, workers: 1 }),
      /allows 99\/s, but its share is 100\/s/
    )
  })

  it('is for a number of workers that the plan has', () => {
    admits({}, {}, 4)
    for (const workers of [0, -1, 0.5, 5, Number.NaN, undefined, '1'])
      assert.throws(
        () =>
          admitPlan(planned({ workers: 4, nClients: 8 }), {
            limits: ANY,
            workers: /** @type {any} */ (workers)
          }),
        { code: 'NOT_ADMITTED', message: /of the plan's 4 workers/ }
      )
  })

  it('is counted by the worker that has most, of clients and of their rate', () => {
    const uneven = { nClients: 5, rate: '100/s' }
    admits(uneven, { maxClients: 2, maxRate: 40 })
    assert.throws(() => admits(uneven, { maxClients: 1 }), /allows 1 clients, but its share is 2/)
    assert.throws(() => admits(uneven, { maxRate: 39 }), /allows 39\/s, but its share is 40\/s/)
    admits(uneven, { maxClients: 5, maxRate: 100 }, 4)
    const fewer = { ...planned({ workers: 4, nClients: 4, rate: '100/s' }), nClients: 1 }
    assert.throws(
      () => admitPlan(fewer, { limits: { ...ANY, maxRate: 99 }, workers: 1 }),
      /allows 99\/s, but its share is 100\/s/
    )
  })

  it('is nothing whose number is none', () => {
    const limits = { ...ANY, maxClients: 2, maxRate: 100 }
    const plan = planned({ workers: 4, nClients: 8, rate: '100/s' })
    for (const sly of [{ nClients: 'many' }, { ratePerSecond: Number.NaN }])
      assert.throws(() => admitPlan({ ...plan, ...sly }, { limits, workers: 1 }), { code: 'NOT_ADMITTED' })
  })

  for (const [allowed, host, ok] of /** @type {[string[], string, boolean][]} */ ([
    [['10.0.0.0/8'], '/ip4/10.3.4.5', true],
    [['10.0.0.0/8'], '/ip4/192.168.1.5', false],
    [['10.0.0.1', '192.168.1.5'], '/ip4/192.168.1.5', true],
    [['203.0.113.0/24'], '/ip4/203.0.113.9', true],
    [['server.example'], '/dns4/server.example', true],
    [['server.example'], '/dns4/other.example', false]
  ]))
    it(`is load on ${allowed}: ${ok ? '' : 'not '}on ${host}`, () => {
      const plan = { ...planned({ workers: 4, nClients: 8 }), target: `${host}${PEER}`, iOwnTheTarget: true }
      const admit = () => admitPlan(plan, { limits: { ...ANY, allowTargets: allowed }, workers: 1 })
      if (ok) admit()
      else assert.throws(admit, /its owner allows load on/)
    })
})

describe('what a worker of an agent is given', () => {
  const plan = planned({ workers: 4, nClients: 8, rate: '100/s' })
  const admit = makeAdmissionCheck(plan, { limits: { ...ANY, maxRate: 50 }, workers: 1, address: '10.0.0.1' })

  it('is the plan that it was leased for, at another rate at most', () => {
    admit({ plan, samplesFile: null, servers: [`/ip4/127.0.0.1${PEER}`] })
    admit({ ...plan, ratePerSecond: 150 })
    assert.throws(() => admit({ ...plan, ratePerSecond: 300 }), /allows 50\/s/)
    assert.throws(() => admit({ plan: { ...plan, nClients: 9 } }), /not the plan/)
    assert.throws(() => admit({ role: 'probe', plan: { ...plan, seed: 9 } }), /not the plan/)
  })

  it('is as many workers as the plan has, whatever their rate is shared out by', () => {
    const others = planned({ workers: 4, nClients: 8, rate: '100/s' })
    admit({ plan, index: 0, workers: 4, clients: [0, 4] })
    for (const given of [
      { plan: { ...others, workers: 1000 } },
      { plan: { ...others, requestors: 1000 } },
      { plan, workers: 1 },
      { workers: 1 },
      { ...plan, workers: 1 }
    ])
      assert.throws(
        () => admit(given),
        /not the plan that the agent was leased for: (workers|requestors) differs/
      )
  })

  it('is no more clients or nodes than fall to a worker', () => {
    for (const clients of [[0, 4, 5], new Uint32Array(3)]) {
      assert.throws(() => admit({ plan, clients }), /3 clients for one worker, but its share is 2/)
      assert.throws(() => admit({ clients }), /3 clients for one worker, but its share is 2/)
    }
    const gossip = { scenario: 'gossip', nodes: 10, workers: 4 }
    const hold = makeAdmissionCheck(gossip, { limits: ANY, workers: 1, address: '10.0.0.1' })
    hold({ plan: gossip, nodes: [0, 4, 8] })
    hold(gossip)
    assert.throws(
      () => hold({ plan: gossip, nodes: [0, 4, 8, 9] }),
      /4 nodes for one worker, but its share is 3/
    )
    const none = { scenario: 'transfer', workers: 4 }
    const bad = makeAdmissionCheck(none, { limits: ANY, workers: 1, address: '10.0.0.1' })
    assert.throws(() => bad({ plan: none, nodes: [0] }), { code: 'NOT_ADMITTED' })
  })

  it('is to listen on its own machine', () => {
    admit({ plan, address: '10.0.0.1' })
    assert.throws(
      () => admit({ plan, address: '10.0.0.2' }),
      /listen on 10\.0\.0\.1 here, not on 10\.0\.0\.2/
    )
  })

  it('names no file', () => {
    assert.throws(() => admit({ plan, samplesFile: '/etc/passwd' }), /writes no files/)
    assert.throws(() => admit({ plan, traces: { folder: '/tmp' } }), /writes no files/)
    // the network of clients that are full peers
    admit({ plan, network: { address: '10.0.0.1' } })
    assert.throws(() => admit({ plan, network: { address: '10.0.0.2' } }), /listen on 10\.0\.0\.1 here/)
    assert.throws(() => admit({ plan, network: { traces: { folder: '/tmp' } } }), /writes no files/)
  })

  it('may be told where servers are that may be load-tested, in each form', () => {
    const only = makeAdmissionCheck(plan, {
      limits: { ...ANY, allowTargets: ['10.0.0.0/8', '2001:db8::/32', 'server.example'] },
      workers: 1,
      address: '10.0.0.1'
    })
    for (const given of [
      { plan, servers: 3 },
      { plan, servers: [`/ip4/10.1.1.1${PEER}`], server: 'docker' },
      { addresses: { tcp: { host: '10.1.1.1', port: 80 }, quic: `/ip4/10.1.1.1${PEER}` } },
      [{ multiaddr: `/ip4/10.1.1.1${PEER}` }, { peer: 'without an address' }],
      `/dns4/server.example${PEER}`,
      'http://server.example:80/x',
      'https://[2001:db8::9]:443',
      'http://',
      'some words',
      null,
      7
    ])
      only(given)
    for (const given of [
      'http://other.example/',
      'https://[2001:db9::9]:443',
      { addresses: { tcp: {} } },
      { addresses: { tcp: `/ip4/11.1.1.1${PEER}` } }
    ])
      assert.throws(
        () => only(given),
        /its owner allows load on 10\.0\.0\.0\/8, 2001:db8::\/32, server\.example only/
      )
  })

  it('is no server that may not be load-tested', () => {
    const elsewhere = `/ip4/203.0.113.9${PEER}`
    for (const given of [
      { plan, servers: [elsewhere] },
      { plan, servers: [], server: elsewhere },
      { plan, addresses: { tcp: { host: '203.0.113.9', port: 80 } } },
      [{ multiaddr: elsewhere }],
      elsewhere,
      'http://203.0.113.9:80',
      'https://[2001:db8::9]:443'
    ])
      assert.throws(() => admit(given), /public address/)
  })
})
