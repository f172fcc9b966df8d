import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { TransferProcesses } from '../../../../src/scenarios/transfer/run/transfer-processes.js'
import { makePlanOf } from '../../../scenarios.js'

test('sides that are stopped while they start leave no folder', async t => {
  const { TMPDIR } = process.env
  const folder = await mkdtemp(join(tmpdir(), 'libp2p-loadtest-test-'))
  process.env.TMPDIR = folder
  t.after(async () => {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
    await rm(folder, { recursive: true })
  })
  const { plan } = makePlanOf('transfer', { ways: 'http' })
  const sides = new TransferProcesses(/** @type {any} */ (plan), () => {})
  const started = assert.rejects(sides.start(), { name: 'AbortError' })
  await sides.stop({ failed: true })
  await started
  assert.deepEqual(await readdir(folder), [])
})
