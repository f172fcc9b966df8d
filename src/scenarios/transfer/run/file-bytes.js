import { createCipheriv, createHash } from 'node:crypto'

const PIECE_BYTES = 256 << 10
const ZEROS = Buffer.alloc(PIECE_BYTES)

/**
 * fileBytes gives the bytes of a file: a key stream of AES-128-CTR, which no two blocks of have the same bytes, and which is the same
 * on every machine.
 *
 * @param {{ seed: number, file: number, sizeBytes: number }} of - `file`: its number in the run
 * @returns {Generator<Buffer>}
 */
export function* fileBytes({ seed, file, sizeBytes }) {
  const key = createHash('sha256').update(`transfer/${seed}/${file}`).digest()
  const cipher = createCipheriv('aes-128-ctr', key.subarray(0, 16), key.subarray(16))
  for (let left = sizeBytes; left > 0; left -= PIECE_BYTES)
    yield cipher.update(ZEROS.subarray(0, Math.min(left, PIECE_BYTES)))
}
