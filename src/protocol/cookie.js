import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const CURSOR_BYTES = 8
/** 132 bits. */
const MAC_CHARACTERS = 22
const COOKIE_BYTES = CURSOR_BYTES + MAC_CHARACTERS

/** InvalidCookieError is thrown for a cookie that was not made here, or for another namespace. */
export class InvalidCookieError extends Error {
  name = 'InvalidCookieError'
  code = 'ERR_INVALID_COOKIE'
}

/**
 * Cookies turns a place in the registration order into a cookie and back. A cookie carries all there is to know, so
 * the server keeps nothing about it: 8 bytes of cursor, then 22 characters, base64url, of HMAC-SHA256 over cursor and
 * namespace, so that nobody can make one up or use it in another namespace. To clients a cookie is opaque, but
 * rust-libp2p takes what follows 8 bytes for a namespace and refuses what is not UTF-8: hence characters.
 */
export class Cookies {
  #key

  /** @param {Uint8Array} [key] - secret; with a store that outlives the process it must do so too */
  constructor(key = randomBytes(32)) {
    this.#key = key
  }

  /**
   * make is the cookie for a cursor.
   *
   * @param {string | undefined} ns - absent: all namespaces, which is a binding of its own
   * @param {number} cursor - whole number, at least 0
   * @returns {Uint8Array}
   */
  make(ns, cursor) {
    const cookie = Buffer.alloc(COOKIE_BYTES)
    cookie.writeBigUInt64BE(BigInt(cursor))
    this.#mac(ns, cookie).copy(cookie, CURSOR_BYTES)
    return cookie
  }

  /**
   * read is the cursor of a cookie.
   *
   * @param {string | undefined} ns
   * @param {Uint8Array} cookie
   * @throws {InvalidCookieError}
   */
  read(ns, cookie) {
    if (
      cookie.length !== COOKIE_BYTES ||
      !timingSafeEqual(this.#mac(ns, cookie), cookie.subarray(CURSOR_BYTES))
    ) {
      throw new InvalidCookieError('cookie is unknown here, or of another namespace')
    }
    return Number(Buffer.from(cookie.buffer, cookie.byteOffset, CURSOR_BYTES).readBigUInt64BE())
  }

  /** @param {string | undefined} ns @param {Uint8Array} cookie */
  #mac(ns, cookie) {
    const mac = createHmac('sha256', this.#key).update(cookie.subarray(0, CURSOR_BYTES))
    if (ns !== undefined) mac.update('/').update(ns)
    return Buffer.from(mac.digest('base64url').slice(0, MAC_CHARACTERS), 'latin1')
  }
}
