import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const CURSOR_BYTES = 8
/** 132 bits. */
const MAC_CHARACTERS = 22
const COOKIE_BYTES = CURSOR_BYTES + MAC_CHARACTERS
/** Of the upper half of a cursor, in base 36, where there is one. */
const MAX_UPPER_CHARACTERS = 13
const HALF = 64n
/** Namespaces whose last cookie is kept. */
const MOST_KEPT = 1000

/** InvalidCookieError is thrown for a cookie that was not made here, or for another namespace. */
export class InvalidCookieError extends Error {
  name = 'InvalidCookieError'
  code = 'ERR_INVALID_COOKIE'
}

/**
 * Cookies turns a place in the registration order into a cookie and back. A cookie carries all there is to know, so
 * the server keeps nothing about it: 8 bytes of cursor, then 22 characters, base64url, of HMAC-SHA256 over cursor and
 * namespace, so that nobody can make one up or use it in another namespace, then what of the cursor is above 64 bits. To clients a cookie is opaque, but
 * rust-libp2p takes what follows 8 bytes for a namespace and refuses what is not UTF-8: hence characters.
 */
export class Cookies {
  #key
  /** the last of each namespace: as long as nobody registers there, it is the same @type {Map<string | undefined, { cursor: number | bigint, cookie: Uint8Array }>} */
  #last = new Map()

  /** @param {Uint8Array} [key] - secret; with a store that outlives the process it must do so too */
  constructor(key = randomBytes(32)) {
    this.#key = key
  }

  /**
   * make is the cookie for a cursor.
   *
   * @param {string | undefined} ns - absent: all namespaces, which is a binding of its own
   * @param {number | bigint} cursor - whole number from 0, below 2^128
   * @returns {Uint8Array} not to be changed: the next one who asks may be given it
   */
  make(ns, cursor) {
    const last = this.#last.get(ns)
    if (last?.cursor === cursor) return last.cookie
    const cookie = this.#made(ns, cursor)
    if (last === undefined && this.#last.size >= MOST_KEPT) this.#last.clear()
    this.#last.set(ns, { cursor, cookie })
    return cookie
  }

  /** @param {string | undefined} ns @param {number | bigint} cursor */
  #made(ns, cursor) {
    const upper = typeof cursor === 'bigint' && cursor >> HALF > 0n ? (cursor >> HALF).toString(36) : ''
    const cookie = Buffer.alloc(COOKIE_BYTES + upper.length)
    cookie.writeBigUInt64BE(BigInt.asUintN(64, BigInt(cursor)))
    cookie.write(upper, COOKIE_BYTES, 'latin1')
    this.#mac(ns, cookie).copy(cookie, CURSOR_BYTES)
    return cookie
  }

  /**
   * read is the cursor of a cookie.
   *
   * @param {string | undefined} ns
   * @param {Uint8Array} cookie
   * @returns {number | bigint} a number below 2^53
   * @throws {InvalidCookieError}
   */
  read(ns, cookie) {
    const upper = cookie.length - COOKIE_BYTES
    if (
      upper < 0 ||
      upper > MAX_UPPER_CHARACTERS ||
      !timingSafeEqual(this.#mac(ns, cookie), cookie.subarray(CURSOR_BYTES, COOKIE_BYTES))
    ) {
      throw new InvalidCookieError('cookie is unknown here, or of another namespace')
    }
    return cursorOf(Buffer.from(cookie.buffer, cookie.byteOffset, cookie.length))
  }

  /** @param {string | undefined} ns @param {Uint8Array} cookie */
  #mac(ns, cookie) {
    const mac = createHmac('sha256', this.#key).update(cookie.subarray(0, CURSOR_BYTES))
    const upper = cookie.subarray(COOKIE_BYTES)
    // its length before it: no namespace, which begins with `/` here, can be taken for it
    if (upper.length > 0) mac.update(Uint8Array.of(upper.length)).update(upper)
    if (ns !== undefined) mac.update('/').update(ns)
    return Buffer.from(mac.digest('base64url').slice(0, MAC_CHARACTERS), 'latin1')
  }
}

/** @param {Buffer} cookie */
function cursorOf(cookie) {
  let cursor = 0n
  for (const digit of cookie.toString('latin1', COOKIE_BYTES))
    cursor = cursor * 36n + BigInt(Number.parseInt(digit, 36))
  cursor = (cursor << HALF) | cookie.readBigUInt64BE()
  return cursor > Number.MAX_SAFE_INTEGER ? cursor : Number(cursor)
}
