import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownContainerMemory } from '../../src/measure/resources.js'

/** @param {Record<string, string>} files */
const reader = files => (/** @type {string} */ file) => {
  if (files[file] === undefined) throw new Error('ENOENT')
  return files[file]
}

test('memory in use is what is charged without the page cache that would be given back, by either version of control groups', () => {
  const v1 = {
    'memory/memory.usage_in_bytes': '90000000\n',
    'memory/memory.stat': 'cache 5\ntotal_inactive_file 20000000\n'
  }
  const v2 = { 'memory.current': '80000000\n', 'memory.stat': 'anon 5\ninactive_file 30000000\n' }
  assert.equal(ownContainerMemory(reader(v1)), 70_000_000)
  assert.equal(ownContainerMemory(reader(v2)), 50_000_000)
})

test('where neither is there, it is not known', () => assert.equal(ownContainerMemory(reader({})), null))

test('without a reader it is that of this process: bytes, or not known', () => {
  const bytes = ownContainerMemory()
  assert.ok(bytes === null || bytes > 0, `${bytes} bytes`)
})
