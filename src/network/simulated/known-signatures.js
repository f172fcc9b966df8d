import { KeyObject } from 'node:crypto'
import { KnownBytes } from './known-bytes.js'

/**
 * @typedef {Pick<typeof import('node:crypto'), 'createPublicKey' | 'verify'>} Checks
 * @typedef {{ format?: unknown, key?: { kty?: unknown, crv?: unknown, x?: unknown } }} KeyInput - of `createPublicKey`
 * @typedef {{ key: KeyObject, signature: Uint8Array, valid: boolean }} Checked
 */

const MOST_KEYS = 20_000
const MOST_BYTES = 16e6

/**
 * knownSignatures gives functions of `node:crypto` that remember keys and the signatures that were checked: all nodes of a process
 * check the same ones, each copy anew, and what was right or wrong once stays so.
 *
 * @param {Checks} checks - those of `node:crypto`
 * @returns {Checks}
 */
export function knownSignatures({ createPublicKey, verify }) {
  /** @type {Map<string, KeyObject>} by what makes them up */
  const keys = new Map()
  /** @type {KnownBytes<Checked>} by what is signed */
  const known = new KnownBytes(MOST_BYTES)
  return {
    createPublicKey: input => {
      const x = xOf(/** @type {KeyInput} */ (input))
      if (x === null) return createPublicKey(input)
      const key = keys.get(x) ?? createPublicKey(input)
      if (!keys.has(x) && keys.size < MOST_KEYS) keys.set(x, key)
      return key
    },
    verify: /** @type {typeof verify} */ (
      /** @param {any[]} args */
      (...args) => {
        const [algorithm, data, key, signature] = args
        const check = () => Reflect.apply(verify, undefined, args)
        if (args.length !== 4 || algorithm !== null || !isRemembered(data, key, signature)) return check()
        const checked = known.of(data, () => ({ key, signature, valid: check() }))
        const isSame = checked.key === key && Buffer.compare(checked.signature, signature) === 0
        return isSame ? checked.valid : check()
      }
    )
  }
}

/** Ed25519 keys as libp2p hands them in. @param {KeyInput} input @returns {string | null} */
function xOf({ format, key }) {
  const isKnown = format === 'jwk' && key?.kty === 'OKP' && key.crv === 'Ed25519'
  return isKnown && typeof key.x === 'string' ? key.x : null
}

/** @param {unknown} data @param {unknown} key @param {unknown} signature */
const isRemembered = (data, key, signature) =>
  data instanceof Uint8Array && key instanceof KeyObject && signature instanceof Uint8Array
