// Sends one upload and download request of libp2p's perf protocol, and counts the bytes received.
import { encodeDownloadSize, sendBytes } from '../protocol/perf.js'
import { ClientError, makeAbortError } from './errors.js'

/**
 * @typedef {import('@libp2p/interface').Stream} Stream
 *
 * @typedef {object} PerfExchange - figures of a request that was completed
 * @property {number} sentBytes - of the upload
 * @property {number} receivedBytes
 * @property {bigint} beganNs - of process.hrtime: before the first byte was passed to the stream
 * @property {bigint | null} firstByteNs - null: no byte came
 * @property {bigint} endedNs - the server had closed its end, which it does when it has read all and sent all
 */

/** PerfErrorCode names errors of a request besides those of ClientErrorCode. */
const PerfErrorCode = {
  /** the server sent more than the requested bytes */
  TOO_MANY_BYTES: 'TOO_MANY_BYTES',
  /** the server closed its end before it had sent all, or before all had been sent to it */
  TOO_FEW_BYTES: 'TOO_FEW_BYTES'
}

/**
 * sendPerfRequest makes one request of the perf protocol on a stream that is open for it (libp2p/specs perf/perf.md): the number of bytes
 * wanted back, the bytes of the upload, the end; then it reads to the end of the other side. An upload is over when the server has read
 * its end, for it says so by closing.
 *
 * @param {Stream} stream - with the perf protocol negotiated; it is closed in the end, or reset
 * @param {object} what
 * @param {number} what.uploadBytes
 * @param {number} what.downloadBytes
 * @param {AbortSignal} [what.signal] - its abort resets the stream
 * @param {(bytes: number) => void} [what.onReceived] - called with the length of each piece that arrives
 * @returns {Promise<PerfExchange>}
 * @throws {ClientError} TOO_MANY_BYTES, TOO_FEW_BYTES, RESET, LOST, TIMEOUT or ABORTED
 */
export async function sendPerfRequest(stream, { uploadBytes, downloadBytes, signal, onReceived = () => {} }) {
  const reading = new DownloadReader(stream, { wanted: downloadBytes, onReceived })
  const onAbort = () => reading.fail(makeAbortError(/** @type {AbortSignal} */ (signal), 'the request'))
  if (signal?.aborted) onAbort()
  signal?.addEventListener('abort', onAbort, { once: true })
  const beganNs = process.hrtime.bigint()
  try {
    const send = async () => {
      stream.send(encodeDownloadSize(downloadBytes))
      await sendBytes(stream, uploadBytes)
      await stream.close()
    }
    // the reading reports why a stream ended early
    send().catch(() => {})
    const { receivedBytes, firstByteNs, endedNs } = await reading.ended
    return { sentBytes: uploadBytes, receivedBytes, beganNs, firstByteNs, endedNs }
  } finally {
    signal?.removeEventListener('abort', onAbort)
  }
}

/** DownloadReader counts the bytes of a download until the server closes its end. */
class DownloadReader {
  #stream
  #wanted
  #ended = Promise.withResolvers()
  receivedBytes = 0
  /** @type {bigint | null} */
  firstByteNs = null
  endedNs = 0n

  /** @param {Stream} stream @param {{ wanted: number, onReceived: (bytes: number) => void }} what */
  constructor(stream, { wanted, onReceived }) {
    this.#stream = stream
    this.#wanted = wanted
    stream.addEventListener('message', ({ data }) => {
      this.firstByteNs ??= process.hrtime.bigint()
      this.receivedBytes += data.byteLength
      onReceived(data.byteLength)
      if (this.receivedBytes <= wanted) return
      const text = `the server sent at least ${this.receivedBytes} bytes where ${wanted} were requested`
      this.fail(new ClientError(PerfErrorCode.TOO_MANY_BYTES, text))
    })
    stream.addEventListener('remoteCloseWrite', () => this.#serverClosed())
    // a connection that is cut closes its streams without an error
    stream.addEventListener('close', ({ error }) => this.fail(this.#broken(error)))
    if (stream.status !== 'open') this.fail(this.#broken())
    else if (stream.remoteWriteStatus === 'closed') this.#serverClosed()
  }

  /** ended resolves to the reading itself, or rejects with the reason of its failure. @returns {Promise<this>} */
  get ended() {
    return /** @type {Promise<this>} */ (this.#ended.promise)
  }

  /** fail ends the reading and resets the stream. @param {Error} error */
  fail(error) {
    this.#ended.reject(error)
    this.#stream.abort(error)
  }

  #serverClosed() {
    this.endedNs = process.hrtime.bigint()
    const { writeStatus, writeBufferLength } = this.#stream
    const allSent = writeStatus !== 'writable' && writeBufferLength === 0
    if (this.receivedBytes === this.#wanted && allSent) return this.#ended.resolve(this)
    const text =
      this.receivedBytes < this.#wanted
        ? `the server closed the stream after ${this.#progress()}`
        : 'the server closed the stream before the end of the upload was sent'
    this.fail(new ClientError(PerfErrorCode.TOO_FEW_BYTES, text))
  }

  /** @param {Error} [cause] */
  #broken(cause) {
    const [code, what] =
      this.#stream.status === 'reset'
        ? ['RESET', 'the server reset the stream']
        : ['LOST', 'the connection was lost']
    return new ClientError(code, `${what} after ${this.#progress()}`, { cause })
  }

  #progress() {
    return `${this.receivedBytes} of ${this.#wanted} bytes`
  }
}
