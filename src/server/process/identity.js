// Loads a server's private key from a file, derives it from a seed, or generates one.
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import {
  generateKeyPair,
  generateKeyPairFromSeed,
  privateKeyFromProtobuf,
  privateKeyToProtobuf
} from '@libp2p/crypto/keys'

/** @typedef {import('@libp2p/interface').PrivateKey} PrivateKey */

/** KeyFileError is the reason why a key file cannot be used. */
export class KeyFileError extends Error {
  name = 'KeyFileError'
  code = 'KEY_FILE'
}

/**
 * loadServerKey reads the private key of a server from its file, which is made the first time, derives it from a seed, or generates one.
 *
 * @param {{ keyFile?: string, keySeed?: number }} options
 * @returns {Promise<PrivateKey>}
 * @throws {KeyFileError}
 */
export async function loadServerKey({ keyFile, keySeed }) {
  if (keySeed !== undefined) {
    const seed = createHash('sha256').update(`rendezvous server ${keySeed}`).digest()
    return generateKeyPairFromSeed('Ed25519', seed)
  }
  return keyFile === undefined ? generateKeyPair('Ed25519') : readKeyFile(keyFile)
}

/** @param {string} file */
async function readKeyFile(file) {
  const bytes = await readFile(file).catch(error => {
    if (error.code !== 'ENOENT') throw keyFileError(`--keyFile ${file} cannot be read`, error)
  })
  if (bytes === undefined) {
    const key = await generateKeyPair('Ed25519')
    await writeFile(file, privateKeyToProtobuf(key), { mode: 0o600, flag: 'wx' }).catch(cause => {
      throw keyFileError(`--keyFile ${file} does not exist, and cannot be made`, cause)
    })
    return key
  }
  try {
    return privateKeyFromProtobuf(bytes)
  } catch (cause) {
    throw keyFileError(`--keyFile ${file} contains no libp2p private key`, cause)
  }
}

/** @param {string} what @param {unknown} cause */
const keyFileError = (what, cause) => new KeyFileError(`${what}: ${/** @type {Error} */ (cause).message}`)
