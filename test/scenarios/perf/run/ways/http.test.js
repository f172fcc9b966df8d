import '../../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import test from 'node:test'
import { HTTP } from '../../../../../src/scenarios/perf/run/ways/http.js'

test('HTTP/1.1 sends what is asked for, and does not announce that it closes idle connections', async t => {
  // a busy machine lets a connection lie idle for longer than the five seconds after which Node closes it
  const counted = { receivedBytes: 0, sentBytes: 0 }
  const served = {
    onReceived: (/** @type {number} */ bytes) => {
      counted.receivedBytes += bytes
    },
    onSent: (/** @type {number} */ bytes) => {
      counted.sentBytes += bytes
    }
  }
  const about = /** @type {any} */ ({ at: { host: '127.0.0.1', peers: null }, line: null, served })
  const { address, stop } = await HTTP.serve(about)
  t.after(stop)
  const { host, port } = /** @type {{ host: string, port: number }} */ (address)
  const reply = await fetch(`http://${host}:${port}/100000`, { method: 'POST', body: 'a'.repeat(5000) })
  assert.equal((await reply.arrayBuffer()).byteLength, 100_000)
  assert.deepEqual(counted, { receivedBytes: 5000, sentBytes: 100_000 })
  assert.equal(reply.headers.get('keep-alive'), null)
})
