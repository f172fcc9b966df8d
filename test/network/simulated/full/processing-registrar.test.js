import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { processingRegistrar } from '../../../../src/network/simulated/full/processing-registrar.js'
import { FREE, Processing } from '../../../../src/network/simulated/processing.js'
import { SimulatedRegistrar } from '../../../../src/network/simulated/simulated-registrar.js'
import { VirtualTime } from '../../../../src/network/simulated/virtual-time.js'

const PROTOCOL = '/a'
const NS = 1000

const log = /** @type {any} */ (Object.assign(() => {}, { trace() {}, error() {}, newScope: () => log }))

/** A stream that tells what is asked of it. */
class InnerStream extends EventTarget {
  id = '1'
  protocol = PROTOCOL
  direction = 'inbound'
  log = log
  inactivityTimeout = 1e6
  maxReadBufferLength = 1e6
  /** @type {unknown[]} */
  asked = []

  /** @param {{ subarray: () => Uint8Array }} data */
  send(data) {
    this.asked.push(['send', ...data.subarray()])
    return false
  }

  async close() {
    this.asked.push('close')
  }

  async closeRead() {
    this.asked.push('closeRead')
  }

  /** @param {Error} error */
  abort(error) {
    this.asked.push(error.message)
  }
}

/** What a handler is given for a stream, where each RPC takes some time. @param {number} rpcNs */
async function handled(rpcNs) {
  const time = new VirtualTime()
  const inner = new InnerStream()
  const own = new SimulatedRegistrar()
  const registrar = processingRegistrar(own, new Processing(time, 0, { ...FREE, rpcNs }))
  /** @type {any} */
  let given
  await registrar.handle(PROTOCOL, stream => {
    given = stream
  })
  own.getHandler(PROTOCOL).handler(/** @type {any} */ (inner), /** @type {any} */ ('connection'))
  return { time, inner, stream: given }
}

/** @param {unknown} data */
const message = data => Object.assign(new Event('message'), { data })

describe('a registrar whose handlers take the time of the node', () => {
  it('hands everything else on to that of the node', async () => {
    const own = new SimulatedRegistrar()
    const registrar = processingRegistrar(own, new Processing(new VirtualTime(), 0, FREE))
    const middleware = [() => {}]
    await registrar.handle(PROTOCOL, () => {}, { maxInboundStreams: 3 })
    assert.deepEqual(registrar.getProtocols(), [PROTOCOL])
    assert.equal(registrar.getHandler(PROTOCOL), own.getHandler(PROTOCOL))
    assert.deepEqual(own.getHandler(PROTOCOL).options, { maxInboundStreams: 3 })
    registrar.use(PROTOCOL, middleware)
    assert.equal(registrar.getMiddleware(PROTOCOL), middleware)
    registrar.unuse(PROTOCOL)
    assert.deepEqual(own.getMiddleware(PROTOCOL), [])
    const topology = {}
    const id = await registrar.register(PROTOCOL, topology)
    assert.deepEqual(registrar.getTopologies(PROTOCOL), [topology])
    registrar.unregister(id)
    assert.deepEqual(own.getTopologies(PROTOCOL), [])
    await registrar.unhandle(PROTOCOL)
    assert.deepEqual(own.getProtocols(), [])
  })

  it('gives what comes to the handler when the node is through with it', async () => {
    const { time, inner, stream } = await handled(NS)
    /** @type {unknown[]} */
    const read = []
    stream.addEventListener('message', (/** @type {any} */ { data }) =>
      read.push([time.nowNs, ...data.subarray()])
    )
    inner.dispatchEvent(message(Uint8Array.of(1, 2)))
    inner.dispatchEvent(message(Uint8Array.of(3)))
    await Promise.resolve()
    assert.deepEqual(read, [])
    while (time.runNext(10 * NS)) await new Promise(setImmediate)
    await new Promise(setImmediate)
    assert.deepEqual(read, [
      [NS, 1, 2],
      [2 * NS, 3]
    ])
  })

  it('ends the stream for the handler only after what came before', async () => {
    const { time, inner, stream } = await handled(NS)
    inner.dispatchEvent(message(Uint8Array.of(1)))
    inner.dispatchEvent(new Event('close'))
    assert.equal(stream.status, 'open')
    while (time.runNext(10 * NS));
    assert.equal(stream.status, 'closed')
  })

  it('resets the stream for the handler where the other end did', async () => {
    const { inner, stream } = await handled(0)
    inner.dispatchEvent(Object.assign(new Event('close'), { error: new Error('reset') }))
    assert.equal(stream.status, 'reset')
  })

  it('sends, closes and aborts at once, and says when there is no room', async () => {
    const { inner, stream } = await handled(NS)
    assert.equal(stream.send(Uint8Array.of(7, 8)), false)
    let drained = 0
    stream.addEventListener('drain', () => drained++)
    inner.dispatchEvent(new Event('drain'))
    assert.equal(drained, 1)
    await stream.closeRead()
    await stream.close()
    assert.deepEqual(inner.asked, [['send', 7, 8], 'closeRead', 'close'])
    const other = await handled(NS)
    other.stream.abort(new Error('enough'))
    assert.deepEqual(other.inner.asked, ['enough'])
  })

  it('keeps what comes while its reader pauses', async () => {
    const { inner, stream } = await handled(0)
    /** @type {number[]} */
    const read = []
    stream.addEventListener('message', (/** @type {any} */ { data }) => read.push(...data.subarray()))
    stream.pause()
    inner.dispatchEvent(message(Uint8Array.of(1)))
    await new Promise(setImmediate)
    assert.deepEqual(read, [])
    stream.resume()
    await new Promise(setImmediate)
    assert.deepEqual(read, [1])
  })
})
