import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ClientError, ClientErrorCode, readOutcome } from '../../src/client/errors.js'
import { makeSubStream } from '../../src/kit/random.js'
import {
  isCensored,
  makeClientNamespaces,
  makeOperationTypes,
  RegistrationLedger,
  RunNamespaces
} from '../../src/load/registrations.js'
import { planned } from '../plan/planned.js'

const draws = () => makeSubStream(7, 'mix')

describe('the operations of a plan with one type', () => {
  for (const [benchmarkType, removals] of [
    ['REGISTER', 0],
    ['DISCOVER', 0],
    ['UNREGISTER', 50]
  ]) {
    it(`are all ${benchmarkType}, with ${removals} registrations to remove`, () => {
      const types = makeOperationTypes(planned({ benchmarkType }), 50, draws())
      assert.deepEqual(new Set(Array.from({ length: 50 }, types.next)), new Set([benchmarkType]))
      assert.equal(types.operations, 50)
      assert.equal(types.removals, removals)
    })
  }

  it('may be as many as come', () => {
    const types = makeOperationTypes(planned({ benchmarkType: 'DISCOVER' }), Infinity, draws())
    assert.equal(types.operations, Number.POSITIVE_INFINITY)
    assert.equal(types.next(), 'DISCOVER')
  })
})

describe('the operations of a mixed plan', () => {
  /** @param {string} mix @param {number} operations */
  const drawn = (mix, operations) => {
    const plan = planned({ benchmarkType: 'MIXED', mix, nNamespaces: 20 })
    const types = makeOperationTypes(plan, operations, draws())
    return { types, list: Array.from({ length: operations }, types.next) }
  }

  for (const [mix, shares] of /** @type {[string, Record<string, number>][]} */ ([
    ['register=1,discover=8,unregister=1', { REGISTER: 0.1, DISCOVER: 0.8, UNREGISTER: 0.1 }],
    ['register=1,discover=2', { REGISTER: 1 / 3, DISCOVER: 2 / 3, UNREGISTER: 0 }],
    ['discover=5', { REGISTER: 0, DISCOVER: 1, UNREGISTER: 0 }],
    ['register=1,discover=8,publish=1', { REGISTER: 0.1, DISCOVER: 0.8, UNREGISTER: 0, PUBLISH: 0.1 }]
  ])) {
    it(`come in the shares of ${mix}`, () => {
      const { list } = drawn(mix, 10_000)
      for (const [type, share] of Object.entries(shares)) {
        const found = list.filter(other => other === type).length / list.length
        assert.ok(Math.abs(found - share) < 0.015, `${type} ${found}`)
        if (share === 0) assert.equal(found, 0)
      }
    })
  }

  it('remove what they register, so that nothing is registered before', () => {
    assert.equal(drawn('register=1,discover=1,unregister=1', 1000).types.removals, 0)
  })

  it('are the same for the same seed', () => {
    const mix = 'register=1,discover=1,unregister=1'
    assert.deepEqual(drawn(mix, 200).list, drawn(mix, 200).list)
  })
})

const ledger = () => new RegistrationLedger(k => `ns-${k}`)

describe("a client's registrations", () => {
  it('are each in a namespace where it is not yet', () => {
    const own = ledger()
    assert.deepEqual([own.fresh(), own.fresh(), own.fresh()], ['ns-0', 'ns-1', 'ns-2'])
    assert.deepEqual([own.size, own.used], [3, 3])
  })

  it('are given out again where they were not sent, before new ones, and once', () => {
    const own = ledger()
    own.fresh()
    own.unused(own.fresh())
    assert.deepEqual([own.size, own.used], [1, 2])
    assert.deepEqual([own.fresh(), own.fresh()], ['ns-1', 'ns-2'])
  })

  it('that are not fresh ones cannot be given back as such', () => {
    const own = ledger()
    own.unused('ns-7')
    own.hold('ns-0')
    own.unused('ns-0')
    assert.deepEqual([own.all(), own.fresh()], [['ns-0'], 'ns-0'])
  })

  it('can be refreshed without being given up', () => {
    const own = ledger()
    own.fresh()
    own.fresh()
    assert.deepEqual([own.any(), own.any()], ['ns-0', 'ns-0'])
    assert.equal(own.size, 2)
  })

  it('are removed oldest first, until none is left', () => {
    const own = ledger()
    own.fresh()
    own.fresh()
    assert.deepEqual([own.release(), own.release(), own.release()], ['ns-0', 'ns-1', undefined])
    assert.deepEqual([own.size, own.any()], [0, undefined])
  })

  it('do not return to a namespace given up before all were, for its UNREGISTER may be under way', () => {
    const own = ledger()
    own.fresh()
    own.release()
    assert.equal(own.fresh(), 'ns-1')
    assert.deepEqual([own.size, own.used], [1, 2])
  })

  it('can all be undone, and then begin anew', () => {
    const own = ledger()
    own.fresh()
    own.fresh()
    own.release()
    own.fresh()
    assert.deepEqual(own.releaseAll(), ['ns-1', 'ns-2'])
    assert.deepEqual([own.size, own.used], [0, 0])
    assert.deepEqual(own.releaseAll(), [])
    assert.equal(own.fresh(), 'ns-0')
  })

  it('are confirmed one by one, with when they expire, and no longer once they were given up', () => {
    const own = ledger()
    for (let k = 0; k < 4; k++) own.fresh()
    for (const k of [1, 2, 3]) own.confirm(`ns-${k}`, 1000.5 + k)
    own.confirm('ns-3', 2000)
    own.release()
    own.release()
    const { numbers, expireMs } = own.confirmed()
    assert.deepEqual(
      [[...numbers], [...expireMs]],
      [
        [2, 3],
        [1002.5, 2000]
      ]
    )
  })

  it('are not confirmed where an UNREGISTER was under way, whatever became of it', () => {
    const own = ledger()
    own.fresh()
    own.confirm('ns-0', 1000)
    own.release()
    own.confirm('ns-0', 2000)
    own.hold('ns-0')
    own.confirm('ns-0', 3000)
    assert.equal(own.confirmed().numbers.length, 0)
    assert.deepEqual(own.all(), ['ns-0'])
  })

  it('never hold the same namespace twice, in any order of events', () => {
    const random = makeSubStream(7, 'ledger')
    const own = ledger()
    /** @type {string[]} */
    let model = []
    for (let step = 0; step < 20_000; step++) {
      const draw = random()
      if (draw < 0.5) {
        const ns = own.fresh()
        assert.ok(!model.includes(ns), ns)
        model.push(ns)
      } else if (draw < 0.99) {
        assert.equal(own.any(), model[0])
        assert.equal(own.release(), model.shift())
      } else {
        assert.deepEqual(own.releaseAll(), model)
        model = []
      }
      assert.equal(own.size, model.length)
    }
  })
})

describe('the namespaces of a client', () => {
  const namespaces = new RunNamespaces('7')
  const N = 5
  /** @param {number} client @param {number} count */
  const ofClient = (client, count) =>
    Array.from({ length: count }, (_, k) => makeClientNamespaces(namespaces, N, client)(k))
  const planned = Array.from({ length: N }, (_, i) => namespaces.planned(i))

  for (const client of [0, 1, 4, 5, 99_999]) {
    it(`are all different for client ${client}, first those of the plan`, () => {
      const names = ofClient(client, 1000)
      assert.equal(new Set(names).size, 1000)
      assert.deepEqual(new Set(names.slice(0, N)), new Set(planned))
      assert.equal(names[0], planned[client % N])
    })
  }

  it('begin with another one for each client, so that no namespace gets more than its share', () => {
    const firsts = Array.from({ length: 4 * N }, (_, client) => ofClient(client, 1)[0])
    for (const ns of planned) assert.equal(firsts.filter(first => first === ns).length, 4)
  })

  it('beyond those of the plan are shared by the clients', () => {
    assert.deepEqual(ofClient(0, 9).slice(N), ofClient(3, 9).slice(N))
    assert.equal(ofClient(0, N + 1)[N], namespaces.extra(0))
  })

  it('of a full peer are its topics first, then those of the plan that are no topics, then extra ones', () => {
    const name = makeClientNamespaces(namespaces, N, 1, { all: 3, own: [2, 0] })
    const found = Array.from({ length: 5 }, (_, k) => name(k))
    assert.deepEqual(found, [planned[2], planned[0], planned[4], planned[3], namespaces.extra(0)])
  })
})

describe('what a client refreshes', () => {
  const ledger = new RegistrationLedger(k => `ns-${k}`)

  it('is nothing at first, then one and the same, or several in turn', () => {
    assert.equal(ledger.next(), undefined)
    ledger.fresh()
    assert.deepEqual([ledger.next(), ledger.next()], ['ns-0', 'ns-0'])
    ledger.fresh()
    const turns = [ledger.next(), ledger.next(), ledger.next()]
    assert.deepEqual(new Set(turns), new Set(['ns-0', 'ns-1']))
    assert.equal(turns[0], turns[2])
  })
})

describe('the namespaces of a run', () => {
  it('are called after it', () => {
    const { planned, extra, inexistent } = new RunNamespaces('20261120-0712-rendezvous-7')
    assert.equal(planned(0), 'loadtest-20261120-0712-rendezvous-7-0')
    assert.equal(extra(2), 'loadtest-20261120-0712-rendezvous-7-extra-2')
    assert.equal(inexistent(3), 'loadtest-20261120-0712-rendezvous-7-inexistent-3')
  })

  it('are all different, and other ones in another run', () => {
    const names = ['7', '8', 'run'].flatMap(runId => {
      const { planned, extra, inexistent } = new RunNamespaces(runId)
      return Array.from({ length: 200 }, (_, i) => [planned(i), extra(i), inexistent(i)]).flat()
    })
    assert.equal(new Set(names).size, names.length)
  })

  it('are short enough for every server', () => {
    const longest = new RunNamespaces('20261120-0712-rendezvous-9007199254740991').inexistent(1_000_000)
    assert.ok(Buffer.byteLength(longest) <= 255)
  })
})

describe('what became of an operation', () => {
  /** @type {[unknown, string, boolean][]} */
  const cases = [
    [ClientErrorCode.TIMEOUT, 'TIMEOUT', true],
    [ClientErrorCode.RESET, 'RESET', true],
    [ClientErrorCode.ENDED, 'RESET', true],
    [ClientErrorCode.LOST, 'LOST', true],
    [ClientErrorCode.CLOSED, 'LOST', true],
    [ClientErrorCode.STREAM_FAILED, 'LOST', true],
    [ClientErrorCode.CONNECT_FAILED, 'LOST', true],
    [ClientErrorCode.CONNECTION_DROPPED, 'LOST', true],
    [ClientErrorCode.WRONG_PEER, 'LOST', true],
    [ClientErrorCode.UNSUPPORTED, 'LOST', true],
    [ClientErrorCode.LOCAL_ADDRESS_UNAVAILABLE, 'LOST', true],
    [ClientErrorCode.ABANDONED, 'ABANDONED', true],
    [ClientErrorCode.REFUSED, 'REFUSED', true],
    [ClientErrorCode.LOCAL_PORTS_EXHAUSTED, 'LOCAL_PORTS_EXHAUSTED', true],
    [ClientErrorCode.ABORTED, 'INTERRUPTED', true],
    [ClientErrorCode.MALFORMED, 'BAD_REPLY', false],
    [ClientErrorCode.UNEXPECTED_REPLY, 'BAD_REPLY', false],
    [ClientErrorCode.TOO_MUCH, 'BAD_REPLY', false]
  ]
  for (const [code, outcome, censored] of cases) {
    it(`is ${outcome} after ${code}, ${censored ? 'without' : 'with'} a reply`, () => {
      assert.equal(readOutcome(new ClientError(`${code}`, 'x')), outcome)
      assert.equal(isCensored(outcome), censored)
    })
  }

  it('is named for every way in which it can fail', () => {
    // a call with a bad argument is no operation
    const { BAD_ARGUMENT, ...ofOperations } = ClientErrorCode
    assert.deepEqual(new Set(cases.map(([code]) => code)), new Set(Object.values(ofOperations)))
  })

  for (const error of [
    new Error('x'),
    Object.assign(new Error('x'), { code: 'EPIPE' }),
    undefined,
    null,
    'x'
  ]) {
    it(`is LOST after ${error}, whatever that was`, () => assert.equal(readOutcome(error), 'LOST'))
  }
})

describe('the time of an operation', () => {
  for (const [outcome, censored] of /** @type {[string, boolean][]} */ ([
    ['OK', false],
    ['E_UNAVAILABLE', false],
    ['E_INVALID_NAMESPACE', false],
    ['BAD_REPLY', false],
    ['DROPPED', true],
    ['TIMEOUT', true]
  ])) {
    it(`is ${censored ? 'only known to be longer' : 'known'} when its outcome is ${outcome}`, () =>
      assert.equal(isCensored(outcome), censored))
  }
})
