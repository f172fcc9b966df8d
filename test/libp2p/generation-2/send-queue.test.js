import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SendQueue } from '../../../src/libp2p/generation-2/duplex-stream.js'

/** @param {number} n */
const bytes = n => new Uint8Array(n)

function queueWithCount() {
  const emptied = { times: 0 }
  const queue = new SendQueue(() => {
    emptied.times++
  })
  return { queue, emptied }
}

describe('what waits to be sent', () => {
  it('is counted until the sink asks for more, for only then it was sent', async () => {
    const { queue, emptied } = queueWithCount()
    queue.push(bytes(3))
    queue.push(bytes(4))
    assert.equal((await queue.next()).value?.byteLength, 3)
    assert.equal(queue.bytes, 7)
    await queue.next()
    assert.deepEqual([queue.bytes, emptied.times], [4, 0])
    const waiting = queue.next()
    assert.deepEqual([queue.bytes, emptied.times], [0, 1])
    queue.push(bytes(5))
    assert.equal((await waiting).value?.byteLength, 5)
    assert.equal(queue.bytes, 5)
  })

  it('is sent before the end', async () => {
    const { queue } = queueWithCount()
    queue.push(bytes(1))
    queue.end()
    const lengths = []
    for await (const chunk of queue) lengths.push(chunk.byteLength)
    assert.deepEqual(lengths, [1])
  })

  it('ends for a sink that waits already', async () => {
    const { queue } = queueWithCount()
    const waiting = queue.next()
    queue.end()
    assert.equal((await waiting).done, true)
  })

  it('is dropped when the stream takes no more', async () => {
    const { queue } = queueWithCount()
    queue.push(bytes(9))
    await queue.return()
    assert.deepEqual([queue.bytes, queue.ended, (await queue.next()).done], [0, true, true])
  })
})
