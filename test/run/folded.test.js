import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { foldProfiles } from '../../src/run/profiles.js'
import { INSTALLED, madeUpProfile } from './made-up-profile.js'

/**
 * @typedef {import('../../src/run/profiles.js').FoldedCall} FoldedCall
 * @typedef {import('./made-up-profile.js').Frame} Frame
 */

/** @param {string} name @returns {Frame} */
const f = name => [name, `${INSTALLED}/libp2p/dist/src/index.js`, 0]

/** A tree as text: name self/total. @param {FoldedCall} call @param {string} [indent] @returns {string[]} */
const lines = ({ name, selfMs, totalMs, children }, indent = '') => [
  `${indent}${name} ${selfMs}/${totalMs}`,
  ...children.flatMap(child => lines(child, `${indent}  `))
]

/** @param {FoldedCall} call @returns {FoldedCall[]} */
const all = call => [call, ...call.children.flatMap(all)]

/** @param {FoldedCall} tree */
function assertSumsAreRight(tree) {
  for (const { name, selfMs, totalMs, children } of all(tree)) {
    const sum = children.reduce((ms, child) => ms + child.totalMs, selfMs)
    assert.ok(Math.abs(sum - totalMs) < 1e-9, `${name}: ${sum} is not ${totalMs}`)
  }
}

/** Deep and broad: each function calls three others. @param {number} depth */
function broad(depth) {
  /** @type {[number, ...Frame[]][]} */
  const stacks = []
  /** @param {Frame[]} stack */
  const grow = stack => {
    if (stack.length > 0) stacks.push([stacks.length + 1, ...stack])
    if (stack.length < depth) for (const name of ['a', 'b', 'c']) grow([...stack, f(name)])
  }
  grow([])
  return madeUpProfile(...stacks)
}

describe('the folded calls', () => {
  it('of several processes are one tree, the longest first, without idle time', () => {
    const one = madeUpProfile([1000, f('a')], [2000, f('a'), f('b')], [9000, '(idle)'])
    const two = madeUpProfile([4000, f('a'), f('c')], [1000, '(garbage collector)'])
    assert.deepEqual(lines(foldProfiles([one, two])), [
      '(root) 0/8',
      '  a 1/7',
      '    c 4/4',
      '    b 2/2',
      '  (garbage collector) 1/1'
    ])
  })

  it('have their package and category, and a place when they have no name', () => {
    const [call] = foldProfiles([
      madeUpProfile([1000, ['', `${INSTALLED}/@libp2p/yamux/dist/src/muxer.js`, 41]])
    ]).children
    assert.deepEqual(call, {
      name: '(anonymous muxer.js:42)',
      package: '@libp2p/yamux',
      category: 'muxer',
      selfMs: 1,
      totalMs: 1,
      children: []
    })
  })

  it('that are short stand together', () => {
    const profile = madeUpProfile(
      [900, f('a')],
      [60, f('a'), f('b')],
      [20, f('a'), f('c')],
      [15, f('a'), f('d'), f('e')],
      [5, f('g')]
    )
    assert.deepEqual(lines(foldProfiles([profile], { leastShare: 0.05 })), [
      '(root) 0/1',
      '  a 0.9/0.995',
      '    b 0.06/0.06',
      '    (other) 0.035/0.035',
      '  (other) 0.005/0.005'
    ])
  })

  it('that are deep stand together', () => {
    const profile = madeUpProfile(
      [1000, f('a'), f('b')],
      [1000, f('a'), f('b'), f('c')],
      [1000, f('a'), f('b'), f('c'), f('d')]
    )
    assert.deepEqual(lines(foldProfiles([profile], { maxDepth: 2 })), [
      '(root) 0/3',
      '  a 0/3',
      '    b 1/3',
      '      (other) 2/2'
    ])
  })

  it('are no more than asked for, and their sums stay right', () => {
    const profile = broad(6)
    for (const maxNodes of [2, 10, 25, 100, 1000]) {
      const tree = foldProfiles([profile], { leastShare: 0, maxNodes })
      assert.ok(all(tree).length <= maxNodes, `${all(tree).length} nodes`)
      assert.equal(tree.totalMs, foldProfiles([profile]).totalMs)
      assertSumsAreRight(tree)
    }
  })

  it('are all there when there is room', () => {
    assert.equal(all(foldProfiles([broad(4)], { leastShare: 0 })).length, 1 + 3 + 9 + 27 + 81)
  })

  it('come in the same order whatever the order of the processes', () => {
    const [one, two] = [broad(3), madeUpProfile([500, f('c'), f('b')])]
    assert.deepEqual(foldProfiles([two, one]), foldProfiles([one, two]))
  })

  it('are none when nothing was done', () => {
    assert.deepEqual(lines(foldProfiles([])), ['(root) 0/0'])
    assert.deepEqual(lines(foldProfiles([madeUpProfile([1000, '(idle)'])])), ['(root) 0/0'])
  })
})
