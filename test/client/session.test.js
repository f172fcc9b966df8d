import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openSession, StreamPerRequest } from '../../src/client/session.js'
import {
  encodeDiscover,
  encodeDiscoverResponse,
  encodeRegisterResponse,
  encodeUnregister
} from '../../src/protocol/rendezvous.js'
import { connectionTo, framed, onePerStream, scriptedConnection, scriptedPeer } from './scripted-peer.js'

const discover = (/** @type {number} */ limit) => encodeDiscover({ ns: 'a', limit })
const reply = (/** @type {string} */ statusText) => encodeDiscoverResponse({ status: 0, statusText })

/** @type {(expected: string) => (error: any) => boolean} */
const code = expected => error => {
  assert.equal(error.code, expected, error.message)
  return true
}

/** @param {Parameters<typeof scriptedPeer>[0]} [script] @param {object} [options] */
async function sessionWith(script, options) {
  const { near, far } = await scriptedPeer(script)
  return { session: await openSession(connectionTo(near), options), near, far }
}

describe('a rendezvous session', () => {
  it('gives the reply to a request, with its size', async () => {
    const { session } = await sessionWith((request, far) =>
      far.send(framed(reply(`${request.discover?.limit}`)))
    )
    const { message, byteLength } = await session.request(discover(3))
    assert.equal(message.discoverResponse?.statusText, '3')
    assert.equal(byteLength, reply('3').length)
  })

  it('matches pipelined requests with their replies in order', async () => {
    const { session } = await sessionWith((request, far) =>
      far.send(framed(reply(`${request.discover?.limit}`)))
    )
    const replies = await Promise.all([1, 2, 3, 4].map(limit => session.request(discover(limit))))
    const found = replies.map(({ message }) => message.discoverResponse?.statusText)
    assert.deepEqual(found, ['1', '2', '3', '4'])
  })

  it('reads two replies that came in one chunk', async () => {
    const { session } = await sessionWith((request, far) => {
      if (request.discover?.limit === 2) far.send(framed(reply('first'), reply('second')))
    })
    const replies = await Promise.all([session.request(discover(1)), session.request(discover(2))])
    const found = replies.map(({ message }) => message.discoverResponse?.statusText)
    assert.deepEqual(found, ['first', 'second'])
  })

  it('reads a reply that came byte by byte', async () => {
    const { session } = await sessionWith(async (_request, far) => {
      for (const byte of framed(reply('in pieces'))) {
        far.send(Uint8Array.of(byte))
        await new Promise(resolve => setTimeout(resolve))
      }
    })
    const { message } = await session.request(discover(1))
    assert.equal(message.discoverResponse?.statusText, 'in pieces')
  })

  it('expects no reply to a message that is only sent', async () => {
    const { session } = await sessionWith((request, far) => {
      if (request.discover != null) far.send(framed(reply('discovered')))
    })
    session.send(encodeUnregister({ ns: 'a' }))
    const { message } = await session.request(discover(1))
    assert.equal(message.discoverResponse?.statusText, 'discovered')
  })

  it('leaves statuses it does not know to the caller', async () => {
    const { session } = await sessionWith((_request, far) =>
      far.send(framed(encodeRegisterResponse({ status: 999 })))
    )
    const { message } = await session.request(discover(1))
    assert.equal(message.registerResponse?.status, 999)
  })

  it('keeps waiting replies coming after a graceful close, and takes no more requests', async () => {
    /** @type {(error?: Error) => void} */
    let onClosed = () => {}
    const over = new Promise(resolve => {
      onClosed = resolve
    })
    const { session } = await sessionWith(
      (_request, far) => {
        far.send(framed(reply('late')))
        far.close()
      },
      { onClosed }
    )
    const pending = session.request(discover(1))
    await session.close()
    assert.ok(session.closed)
    await assert.rejects(session.request(discover(2)), code('CLOSED'))
    assert.equal((await pending).message.discoverResponse?.statusText, 'late')
    assert.equal(await over, undefined)
    assert.equal(session.error, undefined)
  })

  /** @type {{ when: string, script: (far: import('@libp2p/interface').Stream) => void, expected: string }[]} */
  const endings = [
    { when: 'the peer resets the stream', script: far => far.abort(new Error('no')), expected: 'RESET' },
    { when: 'the peer closes the stream', script: far => far.close(), expected: 'ENDED' },
    {
      when: 'the peer closes in the middle of a reply',
      script: far => {
        far.send(framed(reply('cut')).subarray(0, 4))
        far.close()
      },
      expected: 'ENDED'
    }
  ]
  for (const [bytes, where] of /** @type {[number, string][]} */ ([
    [0, 'without a reply'],
    [4, 'in the middle of a reply']
  ]))
    it(`says that the peer closed the stream ${where}`, async () => {
      const { session } = await sessionWith((_request, far) => {
        if (bytes > 0) far.send(framed(reply('cut')).subarray(0, bytes))
        far.close()
      })
      await assert.rejects(session.request(discover(1)), { message: `the peer closed the stream ${where}` })
    })

  for (const { when, script, expected } of endings) {
    it(`fails every request in flight with ${expected} when ${when}`, async () => {
      const { session } = await sessionWith((request, far) => {
        if (request.discover?.limit === 2) script(far)
      })
      const results = await Promise.allSettled([session.request(discover(1)), session.request(discover(2))])
      const found = results.map(result => result.status === 'rejected' && result.reason.code)
      assert.deepEqual(found, [expected, expected])
      assert.equal(session.error?.code, expected)
      await assert.rejects(session.request(discover(3)), code('CLOSED'))
    })
  }

  it('fails requests in flight with LOST when the connection goes away', async () => {
    const { session, near } = await sessionWith(() => {
      // what a muxer tells its streams when its connection is gone
      const muxed = /** @type {import('@libp2p/utils').AbstractStream} */ (near)
      muxed.onTransportClosed()
    })
    await assert.rejects(session.request(discover(1)), code('LOST'))
  })

  for (const { what, bytes } of [
    { what: 'garbage', bytes: Uint8Array.of(4, 0xff, 0xff, 0xff, 0xff) },
    { what: 'a frame longer than accepted', bytes: Uint8Array.of(0xff, 0xff, 0xff, 0x7f) },
    { what: 'an endless length', bytes: new Uint8Array(12).fill(0x80) }
  ]) {
    it(`calls ${what} MALFORMED, abandons what is behind it and resets the stream`, async () => {
      const { session, far } = await sessionWith((request, peer) => {
        if (request.discover?.limit === 2) peer.send(bytes)
      })
      const reset = new Promise(resolve => far.addEventListener('close', resolve))
      const behind = [session.request(discover(1)), session.request(discover(2))]
      const results = await Promise.allSettled(behind)
      const found = results.map(result => result.status === 'rejected' && result.reason.code)
      assert.deepEqual(found, ['MALFORMED', 'ABANDONED'])
      await reset
      assert.equal(far.status, 'reset')
    })
  }

  it('ends with UNEXPECTED_REPLY when a reply comes that nobody asked for', async () => {
    const error = new Promise(resolve => {
      sessionWith(undefined, { onClosed: resolve }).then(({ far }) => far.send(framed(reply('surprise'))))
    })
    code('UNEXPECTED_REPLY')(await error)
  })

  it('counts further replies to one request, up to 10,000, and takes no request then', async () => {
    for (const [sent, counted] of [
      [1999, 1999],
      [12_000, 10_000]
    ]) {
      let unasked = 0
      const { session, near } = await sessionWith(
        (_, far) => {
          const one = framed(reply('again'))
          far.send(one)
          for (let i = 0; i < sent; i++) if (far.status === 'open') far.send(one)
          far.close().catch(() => {})
        },
        { onUnasked: () => unasked++ }
      )
      const over = new Promise(resolve => near.addEventListener('close', resolve))
      await session.request(discover(1))
      await over
      assert.equal(unasked, counted)
      await assert.rejects(session.request(discover(1)), code('CLOSED'))
      assert.equal(session.error?.code, 'UNEXPECTED_REPLY')
    }
  })

  it('ends as a whole when one request is aborted: its code tells why, the others are abandoned', async () => {
    const { session, far } = await sessionWith()
    const reset = new Promise(resolve => far.addEventListener('close', resolve))
    const abort = new AbortController()
    const requests = [
      session.request(discover(1)),
      session.request(discover(2), { signal: abort.signal }),
      session.request(discover(3))
    ]
    abort.abort()
    const results = await Promise.allSettled(requests)
    const found = results.map(result => result.status === 'rejected' && result.reason.code)
    assert.deepEqual(found, ['ABANDONED', 'ABORTED', 'ABANDONED'])
    await reset
  })

  it('lives on when a signal aborts after its request was answered', async () => {
    const { session } = await sessionWith((_request, far) => far.send(framed(reply('answered'))))
    const abort = new AbortController()
    const first = session.request(discover(1), { signal: abort.signal })
    await first
    abort.abort()
    assert.equal((await session.request(discover(2))).message.discoverResponse?.statusText, 'answered')
  })

  it('tells a timeout from an abort', async () => {
    const { session } = await sessionWith()
    const deadline = new AbortController()
    const pending = session.request(discover(1), { signal: deadline.signal })
    deadline.abort(new DOMException('too late', 'TimeoutError'))
    await assert.rejects(pending, code('TIMEOUT'))
  })

  it('sends nothing for a signal that is aborted already, and lives on', async () => {
    const { session } = await sessionWith((_request, far) => far.send(framed(reply('alive'))))
    await assert.rejects(session.request(discover(1), { signal: AbortSignal.abort() }), code('ABORTED'))
    assert.equal((await session.request(discover(2))).message.discoverResponse?.statusText, 'alive')
  })

  it('passes the reason of abort() to every request in flight', async () => {
    const { session } = await sessionWith()
    const pending = session.request(discover(1))
    session.abort(new Error('enough'))
    await assert.rejects(pending, error => /** @type {any} */ (error).cause.message === 'enough')
    assert.throws(() => session.send(encodeUnregister({ ns: 'a' })), code('CLOSED'))
  })

  for (const [name, status, expected] of [
    ['UnsupportedProtocolError', 'open', 'UNSUPPORTED'],
    ['StreamResetError', 'open', 'RESET'],
    ['StreamResetError', 'closed', 'LOST'],
    ['UnexpectedEOFError', 'open', 'ENDED'],
    ['SomethingElse', 'open', 'STREAM_FAILED']
  ]) {
    it(`calls it ${expected} when a stream fails to open with ${name} on a connection that is ${status}`, async () => {
      const newStream = () => Promise.reject(Object.assign(new Error('no'), { name }))
      await assert.rejects(openSession(/** @type {any} */ ({ status, newStream })), code(expected))
    })
  }
})

const NS = ['a', 'b', 'c']
const inTime = () => ({ signal: AbortSignal.timeout(120_000) })

/** A server that serves one request on each stream and keeps what it was asked. */
function strictServer() {
  /** @type {string[]} */
  const served = []
  const connection = scriptedConnection(
    onePerStream(({ unregister, discover }, far) => {
      served.push(unregister === undefined ? `DISCOVER ${discover?.ns}` : `UNREGISTER ${unregister.ns}`)
      if (discover !== undefined)
        far.send(framed(encodeDiscoverResponse({ status: 0, statusText: discover.ns })))
    })
  )
  return { connection, served }
}

describe('requests to a server that serves one on each stream', () => {
  it('are all answered, at once or one after another', async () => {
    const requests = new StreamPerRequest(strictServer().connection)
    const ask = async (/** @type {string} */ ns) =>
      (await requests.request(encodeDiscover({ ns }), inTime())).message.discoverResponse?.statusText
    assert.deepEqual(await Promise.all(NS.map(ask)), NS)
    assert.equal(await ask('d'), 'd')
  })

  it('come behind what has no reply: that was served when the reply is there', async () => {
    const { connection, served } = strictServer()
    const silent = NS.map(ns => encodeUnregister({ ns }))
    await new StreamPerRequest(connection).requestBehind(silent, encodeDiscover({ ns: 'a' }), inTime())
    assert.deepEqual(served.slice(0, 3).sort(), ['UNREGISTER a', 'UNREGISTER b', 'UNREGISTER c'])
    assert.deepEqual(served.slice(3), ['DISCOVER a'])
  })
})

it('a client of such a server has nothing to close, and can go on asking', async () => {
  const requests = new StreamPerRequest(strictServer().connection)
  await requests.close()
  const { message } = await requests.request(encodeDiscover({ ns: 'a' }), inTime())
  assert.equal(message.discoverResponse?.statusText, 'a')
})
