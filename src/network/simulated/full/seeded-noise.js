import { noise } from '@chainsafe/libp2p-noise'
import { noiseCrypto } from '../../../libp2p/noise-crypto.js'

const SEED_BYTES = 32

/**
 * seededNoise is Noise whose keys come from the random numbers of the node: Node's own generator cannot be given others, and the
 * cryptography that Noise brings for Node has functions of threads, for which virtual time cannot wait.
 */
export const seededNoise = () =>
  noise({
    crypto: {
      ...noiseCrypto,
      generateX25519KeyPair: () =>
        noiseCrypto.generateX25519KeyPairFromSeed(crypto.getRandomValues(new Uint8Array(SEED_BYTES)))
    }
  })
