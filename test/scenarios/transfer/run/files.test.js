import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { CarReader } from '@ipld/car/reader'
import * as dagPB from '@ipld/dag-pb'
import { CID } from 'multiformats/cid'
import { BlockWalk, openStore, readCar, writeCar } from '../../../../src/scenarios/transfer/run/blocks.js'
import { generateFileBytes, makeFile } from '../../../../src/scenarios/transfer/run/file-tree.js'

const SHAPE = { seed: 1, sizeBytes: 300_000, chunkBytes: 65_536, linksPerLevel: 2, rawLeaves: true }

/** @param {import('../../../../src/scenarios/transfer/run/blocks.js').BlockStore} store @param {string} root */
async function* blocksUnder(store, root) {
  const walk = new BlockWalk(root)
  for (let cid = walk.next; cid !== null; cid = walk.next) {
    const bytes = await store.get(cid)
    yield { cid, bytes }
    walk.enter(bytes)
  }
}

/** @template T @param {AsyncIterable<T>} list @returns {Promise<T[]>} */
async function all(list) {
  const out = []
  for await (const item of list) out.push(item)
  return out
}

describe('a file', () => {
  test('has the same root from the same seed, on every Node', async () => {
    const store = await openStore('memory')
    const file = await makeFile(SHAPE, 0, store)
    assert.equal(file.root, 'bafybeihv6hbcutngcu6bjwdoxowop4jfiypdjaqdjwoi6fqh4p24wu7baa')
    assert.notEqual((await makeFile({ ...SHAPE, seed: 2 }, 0, store)).root, file.root)
    assert.notEqual((await makeFile(SHAPE, 1, store)).root, file.root)
  })

  test('of the default, one chunk, is one raw block: the CID is the hash of its bytes', async () => {
    const { root, blocks } = await makeFile(
      { ...SHAPE, sizeBytes: 1000, chunkBytes: 2 ** 20, linksPerLevel: 1024 },
      0,
      await openStore('memory')
    )
    const digest = createHash('sha256')
      .update(Buffer.concat([...generateFileBytes({ seed: 1, file: 0, sizeBytes: 1000 })]))
      .digest()
    assert.deepEqual([blocks, Buffer.from(CID.parse(root).multihash.digest)], [1, digest])
    assert.equal(CID.parse(root).code, 0x55)
  })

  test('is a tree of nodes with no more links than asked for, whose leaves are its bytes in order', async () => {
    const store = await openStore('memory')
    const file = await makeFile(SHAPE, 0, store)
    const blocks = await all(blocksUnder(store, file.root))
    const nodes = blocks.filter(({ cid }) => cid.code === dagPB.code)
    assert.equal(blocks.length, file.blocks)
    const actual = blocks.reduce((sum, { bytes }) => sum + bytes.length, 0)
    assert.equal(actual, file.treeBytes)
    assert.ok(nodes.every(({ bytes }) => dagPB.decode(bytes).Links.length <= 2))
    const leaves = blocks.filter(({ cid }) => cid.code === 0x55).map(({ bytes }) => bytes)
    assert.ok(
      Buffer.concat(leaves).equals(
        Buffer.concat([...generateFileBytes({ seed: 1, file: 0, sizeBytes: 300_000 })])
      )
    )
  })

  test('without raw leaves has none', async () => {
    const store = await openStore('memory')
    const { root } = await makeFile({ ...SHAPE, rawLeaves: false }, 0, store)
    assert.ok((await all(blocksUnder(store, root))).every(({ cid }) => cid.code === dagPB.code))
  })
})

test('a CAR is what others read, and comes back', async () => {
  const store = await openStore('memory')
  const { root, blocks } = await makeFile(SHAPE, 0, store)
  const parts = await all(writeCar(CID.parse(root), blocksUnder(store, root)))
  const car = Buffer.concat(parts.flat())
  const reader = await CarReader.fromBytes(car)
  assert.deepEqual((await reader.getRoots()).map(String), [root])
  assert.equal((await all(reader.blocks())).length, blocks)
  // in pieces that end anywhere
  const pieces = Array.from({ length: Math.ceil(car.length / 1000) }, (_, i) =>
    car.subarray(i * 1000, (i + 1) * 1000)
  )
  const back = await all(
    await readCar(
      (async function* () {
        yield* pieces
      })()
    )
  )
  const actual = back.map(({ cid }) => String(cid))
  assert.deepEqual(
    actual,
    (await all(blocksUnder(store, root))).map(({ cid }) => String(cid))
  )
})

for (const kind of /** @type {const} */ (['memory', 'car', 'disk']))
  describe(`a store: ${kind}`, () =>
    test('gives what was put, and refuses what it has not', async t => {
      const store = await openStore(kind)
      t.after(() => store.close())
      const { root, blocks } = await makeFile(SHAPE, 0, store)
      const kept = await all(blocksUnder(store, root))
      assert.equal(kept.length, blocks)
      for (const { cid, bytes } of kept)
        assert.deepEqual(createHash('sha256').update(bytes).digest(), Buffer.from(cid.multihash.digest))
      const other = CID.parse('bafkreiblfcudjmlf3uigjgixpmumscoceubyx5txm6pkmdf3judvtrtiay')
      await assert.rejects(store.get(other), { code: 'NO_BLOCK' })
    }))
