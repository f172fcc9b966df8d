import { blocksOf } from './car.js'

/**
 * takeCar takes the blocks of a CAR as they come.
 *
 * @param {AsyncIterable<Parameters<import('./receiving.js').Receiving['pieces']>[0] extends AsyncIterable<infer P> ? P : never>} pieces
 * @param {import('./receiving.js').Receiving} receiving
 */
export async function takeCar(pieces, receiving) {
  for await (const { cid, bytes } of await blocksOf(receiving.pieces(pieces)))
    await receiving.take(cid, bytes)
  receiving.end()
}
