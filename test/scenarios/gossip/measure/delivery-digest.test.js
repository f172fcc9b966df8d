import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { DeliveryDigest } from '../../../../src/scenarios/gossip/outcome.js'

/** @typedef {[atNs: number, node: number, message: number, parent: number]} Row */

/** @type {Row[]} */
const PUBLISHED = [
  [1e9, 3, 0, 0],
  [2e9 + 1, 4, 1, 0]
]
/** @type {Row[]} */
const RECEIVED = [
  [1_050_000_000, 1, 0, 3],
  [1_050_000_000, 2, 0, 3],
  [1_050_000_001, 0, 0, 1],
  [2_050_000_001, 70_000, 1, 4]
]

/** @param {Row[]} rows */
const columns = rows => ({
  atNs: Float64Array.from(rows, ([atNs]) => atNs),
  node: /** @type {any} */ (Uint32Array.from(rows, ([, node]) => node)),
  message: Uint32Array.from(rows, ([, , message]) => message),
  from: /** @type {any} */ (Uint32Array.from(rows, ([, , , parent]) => parent))
})

/** @param {Row[][]} published - in pieces @param {Row[][]} received - in pieces */
function digestOf(published, received) {
  const digest = new DeliveryDigest()
  for (const rows of published) digest.addPublished(/** @type {any} */ (columns(rows)))
  for (const rows of received) digest.addReceived(columns(rows))
  return digest.hex()
}

const digest = digestOf([PUBLISHED], [RECEIVED])

test('is the SHA-256 of the SHA-256 of the publications and that of the receipts, 20 bytes a row', () => {
  const sha256 = (/** @type {Buffer[]} */ ...parts) =>
    createHash('sha256').update(Buffer.concat(parts)).digest()
  const bytes = (/** @type {Row} */ [atNs, ...numbers]) => {
    const row = Buffer.alloc(20)
    row.writeDoubleLE(atNs)
    for (const [i, number] of numbers.entries()) row.writeUInt32LE(number, 8 + 4 * i)
    return row
  }
  const published = PUBLISHED.map(([atNs, node, message]) => bytes([atNs, node, message, 0xffff_ffff]))
  assert.equal(digest, sha256(sha256(...published), sha256(...RECEIVED.map(bytes))).toString('hex'))
})

test('does not depend on how rows are cut into pieces, on the order within a moment, or on being asked before', () => {
  assert.equal(
    digestOf(
      PUBLISHED.map(row => [row]),
      [RECEIVED.slice(0, 1), [], RECEIVED.slice(1)]
    ),
    digest
  )
  const [a, b, ...rest] = RECEIVED
  assert.equal(digestOf([PUBLISHED], [[b, a, ...rest]]), digest)
  const asked = new DeliveryDigest()
  asked.addReceived(columns(RECEIVED.slice(0, 1)))
  asked.hex()
  asked.addPublished(/** @type {any} */ (columns(PUBLISHED)))
  asked.addReceived(columns(RECEIVED.slice(1)))
  assert.equal(asked.hex(), digest)
})

test('does not depend on how nodes are split over workers, nor on who tells first', () => {
  for (const [seed, tellFirst] of [0, 1, 2].entries()) {
    const merged = new DeliveryDigest(3)
    const of = (/** @type {Row[]} */ rows, /** @type {number} */ worker) =>
      rows.filter(([, node]) => (node + seed) % 3 === worker)
    const tell = (/** @type {number} */ worker, /** @type {(at: number) => boolean} */ when, untilNs = 0) => {
      const among = (/** @type {Row[]} */ rows) => columns(of(rows, worker).filter(([atNs]) => when(atNs)))
      merged.addPublished(/** @type {any} */ (among(PUBLISHED)), worker, untilNs)
      merged.addReceived(among(RECEIVED), worker, untilNs)
    }
    const times = [...PUBLISHED, ...RECEIVED].map(([atNs]) => atNs).toSorted((a, b) => a - b)
    const middle = times[Math.floor(times.length / 2)]
    const order = [0, 1, 2].map(place => (place + tellFirst) % 3)
    // what is of the moment itself may come before it or after
    for (const worker of order) tell(worker, at => (worker === 0 ? at <= middle : at < middle), middle)
    merged.hex()
    for (const worker of order)
      tell(worker, at => (worker === 0 ? at > middle : at >= middle), Number.POSITIVE_INFINITY)
    assert.equal(merged.hex(), digest)
  }
})

test('any other time by a nanosecond, node, message or parent gives another digest', () => {
  for (const [row, column] of [0, 1, 2, 3].flatMap(row => [0, 1, 2, 3].map(column => [row, column]))) {
    const changed = RECEIVED.map((each, place) =>
      place === row ? each.map((value, i) => (i === column ? value + 1 : value)) : each
    )
    assert.notEqual(
      digestOf([PUBLISHED], [/** @type {Row[]} */ (changed)]),
      digest,
      `row ${row}, column ${column}`
    )
  }
  assert.notEqual(digestOf([PUBLISHED.slice(1)], [RECEIVED]), digest)
  assert.notEqual(digestOf([PUBLISHED], [RECEIVED.slice(0, 3)]), digest)
})
