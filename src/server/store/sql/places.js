import { entryBytes, writeEntry } from '../registration-bytes.js'

/**
 * @typedef {import('../registration-store.js').Page} Page
 * @typedef {import('../registration-store.js').Cursor} Cursor
 */

const HALF = 64n

/** placeOf is where a cursor points. @param {Cursor} cursor @returns {[xid: string, seq: string]} */
export function placeOf(cursor) {
  const place = BigInt(cursor)
  return [String(place >> HALF), String(BigInt.asUintN(64, place))]
}

/** cursorOf is the cursor of a place. @param {string} xid @param {string} seq @returns {Cursor} */
function cursorOf(xid, seq) {
  const cursor = (BigInt(xid) << HALF) | BigInt(seq)
  return cursor > Number.MAX_SAFE_INTEGER ? cursor : Number(cursor)
}

/**
 * pageOf makes a page of the row that a database gives.
 *
 * @param {{ count: number, bodies: Uint8Array | null, places: string | null }} row - `places`: of each registration `bytes ttl xid seq`
 * @param {Cursor} after - where an empty page ends
 * @returns {Page}
 */
export function pageOf({ count, bodies, places }, after) {
  if (bodies === null || places === null) return { count: 0, registrations: new Uint8Array(0), cursor: after }
  const entries = places.split(',').map(place => place.split(' '))
  const lengths = entries.map(([bytes, ttl]) => entryBytes(Number(bytes), Number(ttl)))
  const registrations = Buffer.allocUnsafe(lengths.reduce((sum, bytes) => sum + bytes, 0))
  let from = 0
  let at = 0
  for (const [bytes, ttl] of entries) {
    const body = bodies.subarray(from, from + Number(bytes))
    from += body.length
    at = writeEntry(registrations, at, {
      bodyLength: body.length,
      ttlSeconds: Number(ttl),
      copyBody: (target, start) => {
        target.set(body, start)
        return start + body.length
      }
    })
  }
  const [, , xid, seq] = entries[entries.length - 1]
  return { count, registrations, cursor: cursorOf(xid, seq) }
}
