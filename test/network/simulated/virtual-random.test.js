import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { NodeRandom, virtualRandom } from '../../../src/simulator/virtual-environment.js'

function random() {
  const numbers = new NodeRandom({ node: 0 })
  numbers.restart(1)
  /** @type {(() => void)[]} */
  const later = []
  return { ...virtualRandom(numbers, run => later.push(run)), later }
}

describe('random numbers of virtual time', () => {
  test('are the same ones by every function, with the same seed', () => {
    const bytes = random().node.randomBytes(16, /** @type {any} */ (undefined))
    assert.deepEqual(random().node.randomFillSync(Buffer.alloc(16)), bytes)
    assert.deepEqual(Buffer.from(random().web.getRandomValues(new Uint8Array(16))), bytes)
    assert.deepEqual(Buffer.from(random().node.randomFillSync(new ArrayBuffer(16))), bytes)
    assert.ok(new Set(/** @type {Buffer} */ (bytes)).size > 8)
  })

  test('fill the part that was asked for, also of a view on a larger buffer', () => {
    const filled = random().node.randomFillSync(Buffer.alloc(8), 2, /** @type {any} */ (3))
    assert.deepEqual([...filled.subarray(0, 2), ...filled.subarray(5)], [0, 0, 0, 0, 0])
    assert.ok(filled.subarray(2, 5).some((/** @type {number} */ byte) => byte > 0))
    const whole = new Uint8Array(8)
    random().web.getRandomValues(whole.subarray(4))
    assert.deepEqual([...whole.subarray(0, 4)], [0, 0, 0, 0])
    assert.ok(whole.subarray(4).some(byte => byte > 0))
  })

  test('are handed to a callback later, in virtual time, and not given at once', () => {
    const { node, later } = random()
    /** @type {unknown[]} */
    const given = []
    const done = (/** @type {Error | null} */ error, /** @type {unknown} */ value) => given.push(error, value)
    const target = Buffer.alloc(4)
    assert.equal(node.randomFill(target, 1, 2, done), undefined)
    assert.equal(node.randomBytes(4, done), undefined)
    assert.equal(node.randomInt(1, /** @type {any} */ (done), /** @type {any} */ (undefined)), undefined)
    assert.equal(node.randomInt(5, 6, done), undefined)
    assert.deepEqual(given, [])
    for (const run of later) run()
    assert.equal(given[1], target)
    assert.equal(target[0] + target[3], 0)
    assert.equal(/** @type {Buffer} */ (given[3]).length, 4)
    assert.deepEqual([given[5], given[7]], [0, 5])
    assert.deepEqual([given[0], given[2], given[4], given[6]], [null, null, null, null])
  })

  test('are whole ones from the first to below the last, and refused where there is none', () => {
    const { node } = random()
    const drawn = new Set(
      Array.from({ length: 200 }, () => node.randomInt(3, 6, /** @type {any} */ (undefined)))
    )
    assert.deepEqual([...drawn].sort(), [3, 4, 5])
    for (const [low, high] of [
      [3, 3],
      [4, 3],
      [0, 2 ** 48],
      [0, Number.NaN]
    ])
      assert.throws(() => node.randomInt(low, high, /** @type {any} */ (undefined)), RangeError)
  })

  test('are refused beyond what Web Crypto gives at once', () => {
    const { web } = random()
    assert.throws(() => web.getRandomValues(new Uint8Array(65_537)), { name: 'QuotaExceededError' })
    assert.equal(web.getRandomValues(new Uint8Array(65_536)).length, 65_536)
  })

  test('make UUIDs of version 4 (RFC 9562)', () => {
    const { web } = random()
    const [one, other] = [web.randomUUID(), web.randomUUID()]
    for (const uuid of [one, other])
      assert.match(uuid, /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    assert.notEqual(one, other)
  })
})
