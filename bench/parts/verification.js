import { generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto'

const RECORD_BYTES = 150

/**
 * verificationMicros is the CPU time of one Ed25519 verification on this machine now: the unit in which the cost of
 * operations is told, so that figures of different machines can be compared.
 *
 * @param {number} [times]
 */
export function verificationMicros(times = 2000) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const message = randomBytes(RECORD_BYTES)
  const signature = sign(null, message, privateKey)
  const before = process.cpuUsage()
  for (let i = 0; i < times; i++) verify(null, message, publicKey, signature)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / times
}
