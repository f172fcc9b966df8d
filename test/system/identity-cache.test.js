import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { assertComplete } from '../acceptance/consistent.js'
import { newFolder, QUICK, run, TIMEOUT } from '../acceptance/loadtest.js'

// what is damaged is in test/client/registrants.test.js
test('identities are made once and kept', TIMEOUT, async () => {
  const cache = await newFolder()
  const preloads = []
  for (let i = 0; i < 2; i++) {
    const ended = await run(
      [...QUICK, '--benchmarkRuns', '40', '--initialRegistrations', '200', '--seed', '5'],
      { cache }
    )
    assertComplete(ended)
    assert.equal(ended.result.outcome.registrations.before, 200)
    preloads.push(ended.result.run.phases.find(({ name }) => name === 'preload')?.detail)
  }
  assert.deepEqual(preloads, ['new identities, kept for next time', 'cached identities'])
  assert.equal((await readdir(join(cache, 'libp2p-loadtest'))).length, 1)
})

test('a cache that cannot be written is a pity and no failure', TIMEOUT, async () => {
  const file = join(await newFolder(), 'file')
  await writeFile(file, '')
  assertComplete(await run([...QUICK, '--benchmarkRuns', '40'], { cache: file }))
})
