import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStore } from '../../../../src/scenarios/transfer/run/block-store.js'
import { makeFile } from '../../../../src/scenarios/transfer/run/file-tree.js'
import { Receiving } from '../../../../src/scenarios/transfer/run/receiving.js'
import { fetchAll, Wants } from '../../../../src/scenarios/transfer/run/ways/bitswap-wants.js'

/** @typedef {import('multiformats/cid').CID} CID */

const SHAPE = { seed: 1, sizeBytes: 100_000, chunkBytes: 10_000, linksPerLevel: 4, rawLeaves: true }
const STORE = await openStore('memory')
const FILE = await makeFile(SHAPE, 0, STORE)

/** A broker whose blocks come `copies` times. @param {number} copies */
function broker(copies) {
  const wantList = new EventTarget()
  const now = { open: 0, most: 0 }
  return {
    now,
    stop: async () => {},
    bitswap: { wantList: /** @type {any} */ (wantList) },
    async retrieve(/** @type {CID} */ cid) {
      now.most = Math.max(now.most, ++now.open)
      await new Promise(setImmediate)
      for (let i = 0; i < copies; i++) wantList.dispatchEvent(new CustomEvent('block', { detail: { cid } }))
      now.open--
      return STORE.get(cid)
    }
  }
}

for (const copies of [1, 2, 3])
  test(`of blocks that come ${copies} times, ${copies - 1} are duplicates`, async () => {
    const [receiving, { now, ...from }] = [new Receiving(FILE, await openStore('memory')), broker(copies)]
    await fetchAll(new Wants(from, 3), receiving, AbortSignal.timeout(120_000))
    const { blocks, duplicates, totalMs } = receiving.result()
    assert.deepEqual([blocks, duplicates], [FILE.blocks, (copies - 1) * FILE.blocks])
    assert.ok(Number(totalMs) > 0)
    assert.equal(now.most, 3, 'no more wants at once than may be, and as many')
  })
