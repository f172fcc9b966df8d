import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { assertComplete } from './consistent.js'
import { newFolder, QUICK, run, TIMEOUT } from './loadtest.js'

test('identities are made once and kept; a damaged file is made anew', TIMEOUT, async () => {
  /** @param {string} cache */
  const preloadOf = async cache => {
    const ended = await run(
      [...QUICK, '--benchmarkRuns', '40', '--initialRegistrations', '200', '--seed', '5'],
      { cache }
    )
    assertComplete(ended)
    assert.equal(ended.result.outcome.registrations.before, 200)
    return ended.result.run.phases.find(({ name }) => name === 'preload')?.detail
  }
  const first = await newFolder()
  assert.equal(await preloadOf(first), 'new identities, kept for next time')
  const [file, ...others] = await readdir(join(first, 'libp2p-loadtest'))
  assert.deepEqual(others, [])
  const whole = await readFile(join(first, 'libp2p-loadtest', file))

  /** @param {Buffer} kept */
  const remade = async kept => {
    const cache = await newFolder()
    await mkdir(join(cache, 'libp2p-loadtest'))
    const path = join(cache, 'libp2p-loadtest', file)
    await writeFile(path, kept)
    const detail = await preloadOf(cache)
    assert.deepEqual(await readFile(path), whole)
    return detail
  }
  assert.deepEqual(await Promise.all([whole, whole.subarray(0, 1000), flipped(whole)].map(remade)), [
    'cached identities',
    'new identities, kept for next time',
    'new identities, kept for next time'
  ])
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
  assertComplete(await run([...QUICK, '--benchmarkRuns', '40'], { cache: file }))
})
