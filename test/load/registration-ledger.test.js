import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { subStream } from '../../src/kit/random.js'
import { clientNamespaces, Namespaces, RegistrationLedger } from '../../src/load/registrations.js'

const ledger = () => new RegistrationLedger(k => `ns-${k}`)

describe("a client's registrations", () => {
  it('are each in a namespace where it is not yet', () => {
    const own = ledger()
    assert.deepEqual([own.fresh(), own.fresh(), own.fresh()], ['ns-0', 'ns-1', 'ns-2'])
    assert.deepEqual([own.held, own.used], [3, 3])
  })

  it('are given out again where they were not sent, before new ones, and once', () => {
    const own = ledger()
    own.fresh()
    own.unused(own.fresh())
    assert.deepEqual([own.held, own.used], [1, 2])
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
    assert.equal(own.held, 2)
  })

  it('are removed oldest first, until none is left', () => {
    const own = ledger()
    own.fresh()
    own.fresh()
    assert.deepEqual([own.release(), own.release(), own.release()], ['ns-0', 'ns-1', undefined])
    assert.deepEqual([own.held, own.any()], [0, undefined])
  })

  it('do not return to a namespace given up before all were, for its UNREGISTER may be under way', () => {
    const own = ledger()
    own.fresh()
    own.release()
    assert.equal(own.fresh(), 'ns-1')
    assert.deepEqual([own.held, own.used], [1, 2])
  })

  it('can all be undone, and then begin anew', () => {
    const own = ledger()
    own.fresh()
    own.fresh()
    own.release()
    own.fresh()
    assert.deepEqual(own.releaseAll(), ['ns-1', 'ns-2'])
    assert.deepEqual([own.held, own.used], [0, 0])
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
    const random = subStream(7, 'ledger')
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
      assert.equal(own.held, model.length)
    }
  })
})

describe('the namespaces of a client', () => {
  const namespaces = new Namespaces('7')
  const N = 5
  /** @param {number} client @param {number} count */
  const ofClient = (client, count) =>
    Array.from({ length: count }, (_, k) => clientNamespaces(namespaces, N, client)(k))
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
    const name = clientNamespaces(namespaces, N, 1, { all: 3, own: [2, 0] })
    assert.deepEqual(
      Array.from({ length: 5 }, (_, k) => name(k)),
      [planned[2], planned[0], planned[4], planned[3], namespaces.extra(0)]
    )
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
