import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MessageAssembler, splitMessage } from '../../../src/agents/bus/message-parts.js'
import { PACKING_VERSION } from '../../../src/agents/messages.js'
import { makeSubStream } from '../../../src/kit/random.js'
import { Meter, OperationRecorder } from '../../../src/measure/operations.js'

const VALUE = { at: 12n, rows: Float64Array.from({ length: 5000 }, (_, i) => i), ends: Infinity }
const received = (
  /** @type {import('../../../src/agents/bus/message-parts.js').MessagePart} */ { payload, headers }
) => ({ data: Uint8Array.from(payload), headers })

describe('a value on the bus', () => {
  it('goes in one message where it fits', () => {
    for (const value of [VALUE, { short: true }, null]) {
      const [part, ...more] = splitMessage(value, 'a')
      assert.equal(more.length, 0)
      assert.deepEqual(new MessageAssembler().add(received(part))?.value, value)
    }
  })

  it('goes in parts that none is larger of than may be, each of which counts once', () => {
    const parts = splitMessage(VALUE, 'a', 1000)
    assert.ok(parts.length > 4 && parts.every(({ payload }) => payload.length <= 1000))
    const joining = new MessageAssembler()
    const found = [parts[0], ...parts].map(part => joining.add(received(part)))
    assert.deepEqual(found.at(-1)?.value, VALUE)
    assert.ok(found.slice(0, -1).every(one => one === null))
  })

  // where this fails older agents cannot read what is packed: then the format is another one, and what it looks like is kept here anew
  it('is read as it was packed when its format got its number', () => {
    const base64 =
      '7ZAxbsJAEEW962WhQIKOFn3lIikQsiiQSNJEaUa7I7C89qD1QBL5SjlAjpQjpAtCXCAH4L3ule9vJnBN3UX4QClxhH+X3HCuCviW9SARk7pTzmdKcJT3/aMR+J6DdLGyGAVO6dZa1lwH2Kxw+nlkTHardfX0vNphLCcN0jLsdgMXSUkwP1JoOC4Pda+yz9S+mZn/fflelD/jq6WxgxncQ2FgSV/n0+LGUF6TU/5QfFm68+8Dw+gC'
    const headers = { get: () => '7 1 1 deflated' }
    const read = new MessageAssembler().add({ data: Buffer.from(base64, 'base64'), headers })
    const histogram = { values: Float64Array.of(1000, 2000, 3000), counts: Uint32Array.of(3, 1, 2) }
    const data = { ...histogram, count: 6, sum: 11_000, max: 3000 }
    const cells = [{ metric: 'rt', type: 'REGISTER', outcome: 'OK', data }]
    const args = [{ second: 1, cells, at: 12n }]
    const told = { kind: 'called', worker: 0, method: 'interval', args, text: 'a'.repeat(300) }
    assert.deepEqual([PACKING_VERSION, read?.value], [3, told])
  })

  it('is told from what is no message of ours', () => {
    assert.throws(
      () => new MessageAssembler().add({ data: new Uint8Array(3) }),
      /not a message of libp2p-loadtest/
    )
  })

  it('is refused where few bytes unpack into more than a value may have', () => {
    const [part] = splitMessage(new Uint8Array(100_000), 'a')
    assert.ok(part.payload.length < 1000)
    assert.throws(() => new MessageAssembler(50_000).add(received(part)), RangeError)
    assert.ok(new MessageAssembler(200_000).add(received(part)))
  })

  it('is refused where it is larger than a value may be, however it is packed', () => {
    const plain = { data: new Uint8Array(60_000), headers: { get: () => 'a 1 1' } }
    assert.throws(() => new MessageAssembler(50_000).add(plain), RangeError)
    const joining = new MessageAssembler(50_000)
    const half = (/** @type {number} */ place) => ({
      data: new Uint8Array(30_000),
      headers: { get: () => `a ${place} 2` }
    })
    assert.equal(joining.add(half(1)), null)
    assert.throws(() => joining.add(half(2)), RangeError)
    assert.equal(joining.bytes, 0)
  })
})

/** @param {string} id @param {number | string} place @param {number | string} count @param {number} [bytes] */
const partOf = (id, place, count, bytes = 100) => ({
  data: new Uint8Array(bytes),
  headers: { get: () => `${id} ${place} ${count}` }
})

describe('what is not complete yet', () => {
  it('has no more parts than the largest value', () => {
    const joining = new MessageAssembler()
    assert.equal(joining.add(partOf('a', 1, 512)), null)
    for (const [place, count] of [
      [1, 513],
      [1, 1e9],
      [1.5, 3],
      ['1', 'Infinity'],
      ['1', '0x3']
    ])
      assert.throws(() => joining.add(partOf('b', place, count)), /not a message of libp2p-loadtest/)
    assert.throws(() => joining.add(partOf('a', 2, 3)), /not a message of libp2p-loadtest/)
    assert.equal(joining.bytes, 100)
  })

  it('counts each part once', () => {
    const joining = new MessageAssembler()
    for (const place of [1, 1, 2, 2, 1]) joining.add(partOf('a', place, 4))
    assert.equal(joining.bytes, 200)
  })

  it('keeps nothing of the messages that it came in', () => {
    const joining = new MessageAssembler()
    const [first, second] = splitMessage(VALUE, 'a', 5000).map(received)
    joining.add(first)
    first.data.fill(0)
    assert.deepEqual(joining.add(second)?.value, VALUE)
  })

  it('gives way to what is newer, where all together is more than a value may be', () => {
    const joining = new MessageAssembler(1000)
    joining.add(partOf('a', 1, 3, 400))
    joining.add(partOf('b', 1, 3, 400))
    joining.add(partOf('a', 2, 3, 100))
    assert.equal(joining.bytes, 900)
    joining.add(partOf('c', 1, 3, 400))
    assert.equal(joining.bytes, 900)
    joining.add(partOf('a', 2, 3, 100))
    assert.equal(joining.bytes, 900)
  })

  it('gives way to what is newer, where it is too many values', () => {
    const joining = new MessageAssembler()
    for (let i = 0; i < 1000; i++) joining.add(partOf(`id${i}`, 1, 2, 1))
    assert.equal(joining.bytes, 256)
  })

  it('is forgotten when nothing more comes of it', t => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const joining = new MessageAssembler()
    joining.add(partOf('a', 1, 4))
    t.mock.timers.tick(40_000)
    joining.add(partOf('a', 2, 4))
    joining.add(partOf('b', 1, 4))
    t.mock.timers.tick(40_000)
    assert.equal(joining.bytes, 300)
    t.mock.timers.tick(40_000)
    assert.equal(joining.bytes, 0)
  })

  it('is forgotten at the end of its run', () => {
    const joining = new MessageAssembler()
    joining.add(partOf('run1.1', 1, 2))
    joining.add(partOf('run1.2', 1, 2))
    joining.add(partOf('run12.1', 1, 2))
    joining.forget('run1')
    assert.equal(joining.bytes, 100)
  })
})

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
