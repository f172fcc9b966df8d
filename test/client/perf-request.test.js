import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { streamPair } from '@libp2p/utils'
import { sendPerfRequest } from '../../src/client/perf-request.js'
import { encodeDownloadSize } from '../../src/protocol/perf.js'

/**
 * A server played by the test.
 *
 * @param {(stream: import('@libp2p/interface').Stream) => unknown} serve - is called when the request has ended
 * @param {{ uploadBytes?: number, downloadBytes?: number, signal?: AbortSignal }} [what]
 */
async function request(serve, { uploadBytes = 0, downloadBytes = 0, signal } = {}) {
  const [mine, theirs] = await streamPair({ delay: 0 })
  /** @type {Uint8Array[]} */
  const came = []
  theirs.addEventListener('message', ({ data }) => came.push(data.subarray()))
  theirs.addEventListener('remoteCloseWrite', () => serve(theirs))
  const asked = sendPerfRequest(mine, { uploadBytes, downloadBytes, signal })
  return { asked, mine, theirs, bytes: () => Buffer.concat(came) }
}

/** @param {string} code */
const withCode = code => (/** @type {any} */ error) => {
  assert.equal(error.code, code, error.message)
  return true
}

describe('a request of the perf protocol', () => {
  test('is the number, the upload and the end; the reply is counted to its end', async () => {
    const { asked, bytes } = await request(
      stream => {
        stream.send(new Uint8Array(300))
        return stream.close()
      },
      { uploadBytes: 70_000, downloadBytes: 300 }
    )
    const { sentBytes, receivedBytes, beganNs, firstByteNs, endedNs } = await asked
    assert.deepEqual([sentBytes, receivedBytes], [70_000, 300])
    assert.ok(firstByteNs !== null && beganNs <= firstByteNs && firstByteNs <= endedNs)
    assert.deepEqual(bytes().subarray(0, 8), Buffer.from(encodeDownloadSize(300)))
    assert.equal(bytes().length, 8 + 70_000)
  })

  test('is over when the server has closed its end, not when all was sent', async () => {
    /** @type {any} */
    let server
    const { asked } = await request(
      stream => {
        server = stream
      },
      { uploadBytes: 10 }
    )
    const first = await Promise.race([
      asked.then(() => 'ended'),
      new Promise(ok => setTimeout(ok, 30, 'open'))
    ])
    assert.equal(first, 'open')
    await server.close()
    assert.equal((await asked).firstByteNs, null)
  })

  test('is ended at once by a byte too many', async () => {
    const { asked, mine } = await request(stream => void stream.send(new Uint8Array(11)), {
      downloadBytes: 10
    })
    await assert.rejects(asked, withCode('TOO_MANY_BYTES'))
    assert.equal(mine.status, 'aborted')
  })

  test('fails when the server closes early, resets, or is gone', async () => {
    const early = await request(
      stream => {
        stream.send(new Uint8Array(9))
        return stream.close()
      },
      { downloadBytes: 10 }
    )
    await assert.rejects(early.asked, withCode('TOO_FEW_BYTES'))
    const reset = await request(stream => stream.abort(new Error('no')), { downloadBytes: 10 })
    await assert.rejects(reset.asked, withCode('RESET'))
    const cut = await request(() => {}, { uploadBytes: 10 })
    // as when the connection under it is cut, which is told without an error
    setTimeout(() => /** @type {any} */ (cut.mine).onTransportClosed(), 5)
    await assert.rejects(cut.asked, withCode('LOST'))
  })

  test('fails by its signal, and resets the stream', async () => {
    const stop = new AbortController()
    const { asked, mine } = await request(() => stop.abort(), { uploadBytes: 10, signal: stop.signal })
    await assert.rejects(asked, withCode('ABORTED'))
    assert.equal(mine.status, 'aborted')
  })

  test('of a server that closes before it was sent all is no success', async () => {
    const [mine, theirs] = await streamPair({ delay: 0 })
    theirs.pause()
    const asked = sendPerfRequest(mine, { uploadBytes: 50 << 20, downloadBytes: 0 })
    await theirs.close()
    await assert.rejects(asked, ({ code }) => code === 'TOO_FEW_BYTES' || code === 'RESET')
  })
})
