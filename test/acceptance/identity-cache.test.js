import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { assertComplete } from './consistent.js'
import { newFolder, QUICK, run, TIMEOUT } from './loadtest.js'

test('identities are made once and kept; a damaged file is made anew', TIMEOUT, async () => {
  const cache = await newFolder()
  const preloadOf = async () => {
    const ended = await run(
      [...QUICK, '--benchmarkRuns', '40', '--initialRegistrations', '200', '--seed', '5'],
      {
        env: { XDG_CACHE_HOME: cache }
      }
    )
    assertComplete(ended)
    assert.equal(ended.result.outcome.registrations.before, 200)
    return ended.result.run.phases.find(({ name }) => name === 'preload')?.detail
  }
  assert.equal(await preloadOf(), 'new identities, kept for next time')
  const [file, ...others] = await readdir(join(cache, 'libp2p-loadtest'))
  assert.deepEqual(others, [])
  const path = join(cache, 'libp2p-loadtest', file)
  const whole = await readFile(path)
  assert.equal(await preloadOf(), 'cached identities')
  for (const damaged of [whole.subarray(0, 1000), flipped(whole)]) {
    await writeFile(path, damaged)
    assert.equal(await preloadOf(), 'new identities, kept for next time')
    assert.deepEqual(await readFile(path), whole)
  }
  assert.equal(await preloadOf(), 'cached identities')
})

/** @param {Buffer} whole */
function flipped(whole) {
  const copy = Buffer.from(whole)
  copy[copy.length - 100] ^= 1
  return copy
}

test('a cache that cannot be written is a pity and no failure', TIMEOUT, async () => {
  const file = join(await newFolder(), 'file')
  await writeFile(file, '')
  assertComplete(await run([...QUICK, '--benchmarkRuns', '40'], { env: { XDG_CACHE_HOME: file } }))
})
