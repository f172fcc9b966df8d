import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { multiaddr } from '@multiformats/multiaddr'
import { ConnectionViews } from '../../../src/libp2p/generation-2/views.js'

const ADDRESS = '/ip4/127.0.0.1/tcp/8000'

/** @param {string} id */
const stream2 = id => ({
  id,
  direction: 'outbound',
  status: 'open',
  protocol: /** @type {string | undefined} */ (undefined),
  /** @type {any} */ source: null,
  /** @param {any} source */
  async sink(source) {
    this.source = source
  }
})

function connected() {
  const inner = {
    id: 'c',
    remotePeer: 'peer',
    direction: 'inbound',
    status: 'open',
    timeline: /** @type {{ open: number, close?: number }} */ ({ open: 1 }),
    multiplexer: '/yamux/1.0.0',
    encryption: '/noise',
    remoteAddr: { toString: () => ADDRESS },
    limits: { bytes: 7n },
    rtt: 12,
    /** @type {any[]} */
    streams: [],
    /** @type {any[]} */
    did: [],
    /** @param {any} protocols @param {any} [_options] @returns {Promise<any>} */
    async newStream(protocols, _options) {
      if (protocols === '/none') throw new Error('no such protocol')
      const stream = stream2(String(protocols))
      inner.streams.push(stream)
      return stream
    },
    async close(/** @type {any} */ options) {
      inner.did.push(['close', options])
    },
    abort(/** @type {any} */ error) {
      inner.did.push(['abort', error])
    }
  }
  const views = new ConnectionViews()
  return { inner, views, view: views.of(/** @type {any} */ (inner)) }
}

describe('a connection of generation 2 in the present shape', () => {
  test('tells of itself what the one below does', () => {
    const { view } = connected()
    const { id, remotePeer, direction, multiplexer, encryption, limits, rtt, status, remoteAddr } =
      /** @type {any} */ (view)
    assert.deepEqual(
      [id, remotePeer, direction, multiplexer, encryption, limits, rtt, status],
      ['c', 'peer', 'inbound', '/yamux/1.0.0', '/noise', { bytes: 7n }, 12, 'open']
    )
    assert.deepEqual(remoteAddr, multiaddr(ADDRESS))
  })

  test('is closed as soon as the one below is, and when it is told to', async () => {
    const { inner, view } = connected()
    const options = { signal: AbortSignal.timeout(1e6) }
    await view.close(options)
    const error = new Error('enough')
    view.abort(error)
    assert.deepEqual(inner.did, [
      ['close', options],
      ['abort', error]
    ])
    inner.timeline.close = 2
    assert.equal(view.status, 'closed')
  })

  test('gives the error of a stream that could not be opened', async () => {
    const { view, inner } = connected()
    inner.timeline.close = 2
    await assert.rejects(view.newStream('/none'), /no such protocol/)
  })

  test('shows streams of services, what waits in them, and their end', async () => {
    const { inner, views, view } = connected()
    const stream = await view.observed().newStream('/meshsub', {})
    const [seen, ...more] = /** @type {any[]} */ (view.streams)
    assert.deepEqual(
      [more, seen.id, seen.direction, seen.status, seen.protocol, seen.writeBufferLength],
      [[], '/meshsub', 'outbound', 'open', '', 0]
    )
    const source = { readableLength: 99 }
    await stream.sink(/** @type {any} */ (source))
    assert.equal(inner.streams[0].source, source)
    assert.equal(seen.writeBufferLength, 99)
    inner.streams[0].protocol = '/meshsub/1.1.0'
    inner.streams[0].status = 'closed'
    assert.deepEqual([seen.protocol, seen.status], ['/meshsub/1.1.0', 'closed'])
    let closed = 0
    seen.addEventListener('close', () => closed++)
    views.streams.ended(inner.streams[0])
    assert.deepEqual([closed, seen.writeBufferLength], [1, 0])
    assert.equal(view.streams[0], seen)
  })

  test('keeps silent about the end of what nobody has looked at', () => {
    const { views } = connected()
    views.closed(/** @type {any} */ ({}))
    views.streams.ended({})
  })
})
