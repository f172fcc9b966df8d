import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AbuseDocument } from '../../../../src/scenarios/abuse/run/abuse-document.js'
import { makePlanOf } from '../../../scenarios.js'

const HERE = '/ip4/127.0.0.1/tcp/4001/p2p/12D3KooWGDL7oNHzMG3KQAUhxFs1MzX8PoZLuh99JGs6NqwScPWt'

/** @param {Record<string, unknown>} options */
const documentOf = options => new AbuseDocument(/** @type {any} */ (makePlanOf('abuse', options).plan))

describe('what is known of a run with hostile peers', () => {
  it('names our own server with its settings and where it was', () => {
    const document = documentOf({})
    const container = { image: 'loadtest-server' }
    document.parts = /** @type {any} */ ({
      server: { multiaddr: HERE, container },
      spreads: true,
      priority: 'idle'
    })
    const { target, spreads, priority, cases } = document.outcome()
    assert.deepEqual([target.kind, target.multiaddr, target.container], ['process', HERE, container])
    assert.deepEqual(Object.keys(target.settings), ['unlimitedFrom', 'maxStoreBytes'])
    assert.deepEqual([spreads, priority, cases], [true, 'idle', []])
  })

  it('has no settings of a server of others, and no address before it was reached', () => {
    const { target } = documentOf({ target: HERE }).outcome()
    assert.deepEqual(target, { kind: 'address', multiaddr: null, container: null, settings: {} })
  })

  it('leaves out a kind of which no pair was measured', () => {
    const document = documentOf({})
    document.begin({ name: 'slow', kind: 'slow', times: 1 })
    assert.deepEqual(document.outcome().cases, [])
    assert.equal(document.latest.p50, null)
  })
})
