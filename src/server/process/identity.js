// The key of a server, from a file, from a seed, or generated.
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import {
  generateKeyPair,
  generateKeyPairFromSeed,
  privateKeyFromProtobuf,
  privateKeyToProtobuf
} from '@libp2p/crypto/keys'

/** @typedef {import('@libp2p/interface').PrivateKey} PrivateKey */

/** KeyFileError says why a server's key cannot be had from its file. */
export class KeyFileError extends Error {
  name = 'KeyFileError'
  code = 'KEY_FILE'
}

/**
 * serverIdentity is the private key of a server: from its file, which is made the first time, from a seed, or new.
 *
 * @param {{ keyFile?: string, keySeed?: number }} options
 * @returns {Promise<PrivateKey>}
 * @throws {KeyFileError}
 */
export async function serverIdentity({ keyFile, keySeed }) {
  if (keySeed !== undefined) {
    const seed = createHash('sha256').update(`rendezvous server ${keySeed}`).digest()
    return generateKeyPairFromSeed('Ed25519', seed)
  }
  return keyFile === undefined ? generateKeyPair('Ed25519') : fromFile(keyFile)
}

/** @param {string} file */
async function fromFile(file) {
  const bytes = await readFile(file).catch(error => {
    if (error.code !== 'ENOENT') throw keyFileError(`--keyFile ${file} cannot be read`, error)
  })
  if (bytes === undefined) return makeFile(file)
  try {
    return privateKeyFromProtobuf(bytes)
  } catch (cause) {
    throw keyFileError(`--keyFile ${file} holds no private key of libp2p`, cause)
  }
}

/** @param {string} file */
async function makeFile(file) {
  const key = await generateKeyPair('Ed25519')
  await writeFile(file, privateKeyToProtobuf(key), { mode: 0o600, flag: 'wx' }).catch(cause => {
    throw keyFileError(`--keyFile ${file} does not exist, and cannot be made`, cause)
  })
  return key
}

/** @param {string} what @param {unknown} cause */
const keyFileError = (what, cause) => new KeyFileError(`${what}: ${/** @type {Error} */ (cause).message}`)
