import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readRegistrantCache, writeRegistrantCache } from '../../src/client/registrants.js'
import { RecordDomain } from '../../src/protocol/signed-record.js'

test('records that cannot be kept leave nothing half-written behind', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'loadtest-cache-'))
  t.after(() => rm(folder, { recursive: true }))
  const source = { seed: 7, domain: RecordDomain.PEER_RECORD }
  const kept = { records: Buffer.alloc(20, 'x'), count: 2 }
  await writeRegistrantCache(folder, source, kept)
  const [file] = await readdir(folder)
  assert.deepEqual(await readRegistrantCache(folder, source, { recordBytes: 10, count: 2 }), kept.records)
  await rm(join(folder, file))
  await mkdir(join(folder, file))
  await assert.rejects(writeRegistrantCache(folder, source, kept), { code: 'EISDIR' })
  assert.deepEqual(await readdir(folder), [file])
})
