/**
 * @typedef {import('@libp2p/interface').PrivateKey} PrivateKey
 * @typedef {import('@libp2p/interface').ConnectionEncrypter} ConnectionEncrypter
 */

/**
 * signedOnce makes a Noise that signs its static key once, and not anew for each handshake: it is the same for as long as its node lives
 * (https://github.com/libp2p/specs/tree/master/noise, "Static Key Authentication").
 *
 * @template {{ privateKey: PrivateKey }} C
 * @param {(components: C) => ConnectionEncrypter} noise
 * @returns {(components: C) => ConnectionEncrypter}
 */
export const signedOnce = noise => components =>
  noise(Object.create(components, { privateKey: { value: rememberingKey(components.privateKey) } }))

/** A key that knows what it signed last. @param {PrivateKey} key @returns {Pick<PrivateKey, 'publicKey' | 'sign'>} */
function rememberingKey(key) {
  let signed = Buffer.alloc(0)
  /** @type {ReturnType<PrivateKey['sign']> | undefined} */
  let signature
  return {
    publicKey: key.publicKey,
    sign(data) {
      if (signature === undefined || !signed.equals(data.subarray())) {
        signed = Buffer.from(data.subarray())
        signature = key.sign(data)
      }
      return signature
    }
  }
}
