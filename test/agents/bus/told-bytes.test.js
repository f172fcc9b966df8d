import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MessageAssembler, splitMessage } from '../../../src/agents/bus/message-parts.js'
import { makeSubStream } from '../../../src/kit/random.js'
import { Meter, OperationRecorder } from '../../../src/measure/operations.js'

/** So much takes what a worker tells of a second, however many operations were in it; the bus takes 1 MB. */
const MAX_BYTES = 40_000
/** Of up to 300 operations. */
const FEW_BYTES = 2500
/** Thirty times as many operations take at most so many times the bytes: buckets are filled, and their counts get larger. */
const MAX_TIMES = 10

/** What happens in a second: times in ns as they are in the open model, from a tenth of a millisecond to a second. @param {number} operations */
function secondOf(operations) {
  const random = makeSubStream(1, 'second', operations)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const about = (/** @type {number} */ ns, /** @type {number} */ spread) =>
    Math.round(ns * Math.exp(spread * normal()))
  const meter = new Meter()
  const recorder = new OperationRecorder(meter)
  for (let i = 0; i < operations; i++) {
    const [lagNs, serviceNs] = [about(60_000, 0.7), about(5e6, 1.1)]
    const overheadNs = random() < 0.3 ? Math.min(serviceNs, about(40_000, 1)) : 0
    const sentNs = BigInt(lagNs)
    recorder.record(
      { ...{ type: 'REGISTER', dueNs: 0n, sentNs, repliedNs: sentNs + BigInt(serviceNs), overheadNs } },
      random() < 0.02 ? 'TIMEOUT' : 'OK'
    )
    meter.record('turn', '', '', about(80_000, 1))
    meter.reply('REGISTER', 120)
  }
  return { kind: 'called', worker: 0, method: 'interval', args: [meter.take(1)] }
}

const bytesOf = (/** @type {import('../../../src/agents/bus/message-parts.js').MessagePart[]} */ parts) =>
  parts.reduce((sum, { payload }) => sum + payload.length, 0)

describe('what a worker tells the bus of a second', () => {
  it('is small, and hardly grows with the operations', () => {
    const bytes = Object.fromEntries(
      [1, 30, 300, 1000, 10_000, 30_000].map(count => [count, bytesOf(splitMessage(secondOf(count), '1'))])
    )
    const told = JSON.stringify(bytes)
    assert.ok(bytes[300] <= FEW_BYTES, told)
    assert.ok(Math.max(...Object.values(bytes)) <= MAX_BYTES, told)
    assert.ok(bytes[30_000] <= MAX_TIMES * bytes[1000], told)
  })

  it('goes in one message, and comes as it was', () => {
    const second = secondOf(2000)
    const [{ payload, headers }, ...more] = splitMessage(second, '1')
    assert.equal(more.length, 0)
    const received = new MessageAssembler().add({ data: payload, headers })?.value
    const { cells, ...rest } = received.args[0]
    const [{ cells: before, ...restBefore }] = second.args
    assert.deepEqual(rest, restBefore)
    for (const [i, { data, ...cell }] of cells.entries()) {
      const { data: was, ...cellBefore } = before[i]
      assert.deepEqual(cell, cellBefore)
      const places = Array.from(was.values.keys()).sort((a, b) => was.values[a] - was.values[b])
      assert.deepEqual(data, {
        ...was,
        values: Float64Array.from(places, place => was.values[place]),
        counts: Uint32Array.from(places, place => was.counts[place])
      })
    }
  })
})
