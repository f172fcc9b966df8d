import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import {
  DEFAULT_STACK,
  describeMissingPackages,
  findServerStack,
  findStack,
  findStackName,
  listClientPackages,
  listGossipPackages,
  listMissingPackages,
  STACKS
} from '../../src/libp2p/stacks.js'

describe('a stack', () => {
  it('has packages whose versions tell two of them apart', () => {
    assert.deepEqual([...STACKS.keys()], ['libp2p-3', 'libp2p-2'])
    const [present, before] = [...STACKS.keys()].map(name => listGossipPackages([name]))
    const found = present.filter(name => before.includes(name))
    assert.deepEqual(found, [])
    assert.deepEqual(listClientPackages(), listClientPackages([DEFAULT_STACK]))
    assert.deepEqual(listGossipPackages(['libp2p-2', 'libp2p-3']), [...before, ...present])
  })

  it('that does not exist is named with those that do', () => {
    assert.throws(() => findStack('libp2p-1'), /libp2p-1: choose from libp2p-3, libp2p-2/)
  })
})

describe('several stacks', () => {
  it('are dealt out by number, as many of each', () => {
    const names = Array.from({ length: 6 }, (_, node) => findStackName(['libp2p-3', 'libp2p-2'], node))
    assert.deepEqual(names, ['libp2p-3', 'libp2p-2', 'libp2p-3', 'libp2p-2', 'libp2p-3', 'libp2p-2'])
    assert.equal(findStackName(undefined, 5), DEFAULT_STACK, 'plans of earlier versions name none')
  })

  it('leave the server the first of them, unless one is named', () => {
    assert.equal(findServerStack({ stack: ['libp2p-2', 'libp2p-3'], serverStack: null }), 'libp2p-2')
    assert.equal(findServerStack({ stack: ['libp2p-2'], serverStack: 'libp2p-3' }), 'libp2p-3')
    assert.equal(findServerStack({}), DEFAULT_STACK)
  })
})

describe('packages of a stack', () => {
  it('that are not installed are named, with the command that installs them', () => {
    const installed = (/** @type {string} */ name) => !name.startsWith('@libp2p-2/')
    assert.deepEqual(listMissingPackages('libp2p-3', installed), [])
    assert.equal(describeMissingPackages('libp2p-3', installed), null)
    const why = describeMissingPackages('libp2p-2', installed)
    assert.match(String(why), /^libp2p-2 needs packages that are not installed \(@libp2p-2\/tcp, /)
    assert.match(String(why), /: run npm install --include=optional$/)
  })

  it('of the default one are there', () => assert.equal(describeMissingPackages(DEFAULT_STACK), null))
})

test('of the default stack no package is missing', () => {
  assert.deepEqual([listMissingPackages(DEFAULT_STACK), describeMissingPackages(DEFAULT_STACK)], [[], null])
})

test('packages of a stack that are not installed are named, with what installs them', t => {
  const stacks = /** @type {Map<string, any>} */ (STACKS)
  const packages = ['libp2p', 'no-such-package-a']
  stacks.set('made-up', { ...findStack(DEFAULT_STACK), packages, gossipPackages: ['no-such-package-b'] })
  t.after(() => stacks.delete('made-up'))
  assert.deepEqual(listMissingPackages('made-up'), ['no-such-package-a', 'no-such-package-b'])
  assert.equal(
    describeMissingPackages('made-up'),
    'made-up needs packages that are not installed (no-such-package-a, no-such-package-b): run npm install --include=optional'
  )
})
