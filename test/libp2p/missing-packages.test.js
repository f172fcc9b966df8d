import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_STACK, missingPackages, notInstalled, STACKS, stackNamed } from '../../src/libp2p/stacks.js'

test('of the default stack no package is missing', () => {
  assert.deepEqual([missingPackages(DEFAULT_STACK), notInstalled(DEFAULT_STACK)], [[], null])
})

test('packages of a stack that are not installed are named, with what installs them', t => {
  const stacks = /** @type {Map<string, any>} */ (STACKS)
  const packages = ['libp2p', 'no-such-package-a']
  stacks.set('made-up', { ...stackNamed(DEFAULT_STACK), packages, gossipPackages: ['no-such-package-b'] })
  t.after(() => stacks.delete('made-up'))
  assert.deepEqual(missingPackages('made-up'), ['no-such-package-a', 'no-such-package-b'])
  assert.equal(
    notInstalled('made-up'),
    'made-up needs packages that are not installed (no-such-package-a, no-such-package-b): run npm install --include=optional'
  )
})
