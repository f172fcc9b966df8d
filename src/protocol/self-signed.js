import { webcrypto } from 'node:crypto'
import 'reflect-metadata'
import * as x509 from '@peculiar/x509'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const DAY_MS = 86_400_000

/**
 * selfSigned makes a key and a certificate that it signed itself, for a server that nobody need tell from others: it is thrown away with
 * the run.
 *
 * @param {{ now?: () => number, addresses?: readonly string[] }} [parts] - `now`: ms since 1970
 * @returns {Promise<{ key: string, cert: string }>} PEM; of localhost and the addresses, from a day ago on for 30 days
 */
export async function selfSigned({ now = Date.now, addresses = ['127.0.0.1', '::1'] } = {}) {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.createSelfSigned(
    {
      name: 'CN=localhost',
      notBefore: new Date(now() - DAY_MS),
      notAfter: new Date(now() + 30 * DAY_MS),
      signingAlgorithm: ALGORITHM,
      keys: /** @type {any} */ (keys),
      extensions: [
        new x509.SubjectAlternativeNameExtension([
          { type: 'dns', value: 'localhost' },
          ...addresses.map(value => /** @type {const} */ ({ type: 'ip', value }))
        ])
      ]
    },
    /** @type {any} */ (webcrypto)
  )
  const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)
  return { key: x509.PemConverter.encode(key, 'PRIVATE KEY'), cert: certificate.toString('pem') }
}
