import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Cookies, InvalidCookieError } from '../../src/protocol/cookie.js'

const cookies = new Cookies()

describe('a cookie', () => {
  for (const ns of [undefined, 'ns', '/', 'ünï']) {
    for (const cursor of [0, 1, 2 ** 32, Number.MAX_SAFE_INTEGER]) {
      it(`brings ${cursor} back in ${ns ?? 'all namespaces'}`, () => {
        assert.equal(cookies.read(ns, cookies.make(ns, cursor)), cursor)
      })
    }
  }

  it('outlives its maker when the key does', () => {
    const key = new Uint8Array(32).fill(1)
    assert.equal(new Cookies(key).read('ns', new Cookies(key).make('ns', 5)), 5)
  })
})

describe('a cookie is refused', () => {
  const cookie = cookies.make('ns', 5)
  const flipped = (/** @type {number} */ at) => cookie.map((byte, index) => (index === at ? byte ^ 1 : byte))
  /** @type {Array<[string, string | undefined, Uint8Array]>} */
  const cases = [
    ['in another namespace', 'other', cookie],
    ['of a namespace, for all of them', undefined, cookie],
    ['of all namespaces, for one', 'ns', cookies.make(undefined, 5)],
    ['of all namespaces, for one with an empty name', '', cookies.make(undefined, 5)],
    ['of another server', 'ns', new Cookies().make('ns', 5)],
    ['with another cursor', 'ns', flipped(7)],
    ['with another code', 'ns', flipped(23)],
    ['that is empty', 'ns', new Uint8Array(0)],
    ['that is cut off', 'ns', cookie.subarray(0, 23)],
    ['that is too long', 'ns', new Uint8Array([...cookie, 0])],
    ['that is noise', 'ns', new Uint8Array(24).fill(7)]
  ]
  for (const [name, ns, bytes] of cases) {
    it(name, () => assert.throws(() => cookies.read(ns, bytes), InvalidCookieError))
  }
})
