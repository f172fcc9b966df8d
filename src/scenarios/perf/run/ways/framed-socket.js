import { once } from 'node:events'

/**
 * @typedef {import('./types.js').Amounts} Amounts
 * @typedef {import('./types.js').Exchanged} Exchanged
 * @typedef {import('./types.js').Served} Served
 * @typedef {import('node:net').Socket} Socket
 */

/** An exchange on a plain socket begins with two numbers: how many bytes follow, and how many are wanted back. */
const HEAD_BYTES = 16
const BLOCK = Buffer.alloc(64 << 10)

/** @param {Socket} socket @param {number} count */
async function sendZeros(socket, count) {
  for (let left = count; left > 0; left -= BLOCK.length)
    if (!socket.write(left < BLOCK.length ? BLOCK.subarray(0, left) : BLOCK)) await once(socket, 'drain')
}

/**
 * serveFramed answers exchanges on a socket, one after the other: it reads one to its end, and then sends what is wanted, or a byte
 * where nothing is.
 *
 * @param {Socket} socket
 * @param {Served} served
 */
export function serveFramed(socket, { onReceived, onSent }) {
  let head = Buffer.alloc(0)
  let left = 0
  let wanted = 0
  const reply = async () => {
    await sendZeros(socket, Math.max(1, wanted))
    onSent(wanted)
  }
  socket.setNoDelay(true)
  socket.on('data', chunk => {
    let at = 0
    if (head.length < HEAD_BYTES) {
      at = Math.min(chunk.length, HEAD_BYTES - head.length)
      head = Buffer.concat([head, chunk.subarray(0, at)])
      if (head.length < HEAD_BYTES) return
      left = Number(head.readBigUInt64BE(0))
      wanted = Number(head.readBigUInt64BE(8))
    }
    left -= chunk.length - at
    if (chunk.length > at) onReceived(chunk.length - at)
    if (left > 0) return
    head = Buffer.alloc(0)
    reply().catch(() => {})
  })
  socket.on('error', () => socket.destroy())
}

/**
 * exchangeFramed makes one exchange on a socket.
 *
 * @param {Socket} socket
 * @param {Amounts} amounts
 * @returns {Promise<Exchanged>}
 */
export function exchangeFramed(socket, { uploadBytes, downloadBytes, signal, onReceived = () => {} }) {
  const { promise, resolve, reject } = Promise.withResolvers()
  let receivedBytes = 0
  /** @type {bigint | null} */
  let firstByteNs = null
  const onData = (/** @type {Buffer} */ { length }) => {
    firstByteNs ??= process.hrtime.bigint()
    receivedBytes += length
    onReceived(length)
    if (receivedBytes >= Math.max(1, downloadBytes))
      resolve({
        receivedBytes: downloadBytes === 0 ? receivedBytes - 1 : receivedBytes,
        firstByteNs,
        endedNs: process.hrtime.bigint()
      })
  }
  const onEnd = (/** @type {Error | boolean | undefined} */ error) =>
    reject(
      error instanceof Error ? error : new Error(`the connection was closed after ${receivedBytes} bytes`)
    )
  const onAbort = () => reject(signal.reason)
  socket.on('data', onData).once('error', onEnd).once('close', onEnd)
  signal.addEventListener('abort', onAbort, { once: true })
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeBigUInt64BE(BigInt(uploadBytes), 0)
  head.writeBigUInt64BE(BigInt(downloadBytes), 8)
  socket.write(head)
  sendZeros(socket, uploadBytes).catch(reject)
  return promise.finally(() => {
    socket.off('data', onData).off('error', onEnd).off('close', onEnd)
    signal.removeEventListener('abort', onAbort)
  })
}
