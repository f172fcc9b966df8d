// Preloaded into every process of a run by NODE_OPTIONS: makes the ones that generate load slow, by what BENCH_LATE_MS says, at one of
// so many messages that they decrypt. Anything that a generator does beside its work looks like that: collecting garbage, for one.
import { noiseCrypto } from '../../src/libp2p/noise-crypto.js'

/** A DISCOVER takes three to four. */
const ONE_OF = 30

const lateNs = BigInt(Math.round(Number(process.env.BENCH_LATE_MS ?? 0) * 1e6))
const generates = process.argv[1]?.endsWith('scenarios/rendezvous/run/entry.js')

if (generates && lateNs > 0n) {
  const decrypt = noiseCrypto.chaCha20Poly1305Decrypt
  let left = ONE_OF
  noiseCrypto.chaCha20Poly1305Decrypt = (...message) => {
    if (--left === 0) {
      left = 1 + Math.floor(Math.random() * 2 * ONE_OF)
      const untilNs = process.hrtime.bigint() + lateNs
      while (process.hrtime.bigint() < untilNs);
    }
    return decrypt(...message)
  }
}
