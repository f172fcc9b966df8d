import assert from 'node:assert/strict'
import { it } from 'node:test'
import { stack } from '../../src/libp2p/generation-3/libp2p-3.js'
import { quietRegistrar } from '../../src/libp2p/node-components.js'

/** @param {Record<string, string>} handlers */
function registrarOf(handlers) {
  return /** @type {any} */ ({
    getHandler(/** @type {string} */ protocol) {
      if (!(protocol in handlers)) throw new Error(`No handler registered for protocol ${protocol}`)
      return handlers[protocol]
    }
  })
}

it('a protocol that nobody handles is told of without a stack trace, and only that', () => {
  const registrar = quietRegistrar({ registrar: registrarOf({ '/echo/1': 'echo' }) })
  assert.equal(registrar.getHandler('/echo/1'), 'echo')
  const before = Error.stackTraceLimit
  assert.throws(
    () => registrar.getHandler('/none/1'),
    (/** @type {Error} */ { message, stack: trace = '' }) =>
      message === 'No handler registered for protocol /none/1' && !trace.includes('\n    at ')
  )
  assert.throws(() => registrar.getHandler('/none/1'))
  assert.equal(Error.stackTraceLimit, before)
  assert.match(/** @type {string} */ (new Error('other').stack), /\n {4}at /)
})

it('a lean node has it: handlers come and go as ever', async () => {
  const node = /** @type {any} */ (await stack.createNode(/** @type {any} */ ({ lean: true })))
  const missing = () => {
    try {
      return node.components.registrar.getHandler('/echo/1')
    } catch (error) {
      return error
    }
  }
  assert.equal(missing().name, 'UnhandledProtocolError')
  assert.ok(!missing().stack.includes('\n    at '))
  assert.equal(missing(), missing())
  const handler = () => {}
  await node.handle('/echo/1', handler)
  assert.equal(missing().handler, handler)
  const other = () => {}
  await node.handle('/echo/1', other, { force: true })
  assert.equal(missing().handler, other)
  await node.unhandle('/echo/1')
  assert.equal(missing().name, 'UnhandledProtocolError')
})
