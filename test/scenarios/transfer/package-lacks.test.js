import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findPackageProblems } from '../../../src/kit/files.js'

const MISSING = 'libp2p-loadtest-no-such-package'

describe('a package that a way needs', () => {
  it('lacks nothing where it is installed for this Node', () =>
    assert.deepEqual(findPackageProblems(['libp2p'], { node: '99.0.0' }), []))

  it('is named with the Node that it wants', () => {
    const [why] = findPackageProblems(['dockerode'], { node: '1.0.0' })
    assert.match(why, /^it needs dockerode \d\S*, which wants Node >= ?\S+; this is 1\.0\.0$/)
  })

  it('is named with what installs it where it is missing', () => {
    assert.deepEqual(findPackageProblems([MISSING], { node: '20.0.0' }), [
      `it needs ${MISSING}, which is not installed: run npm install --include=optional`
    ])
    assert.deepEqual(findPackageProblems([MISSING], { node: '20.0.0', install: 'npm install it' }), [
      `it needs ${MISSING}, which is not installed: run npm install it`
    ])
  })

  it('is named with the Node without which npm leaves it out, down to the minor version', () => {
    const whyOn = (/** @type {string} */ node, wants = '>=22.19.0') =>
      findPackageProblems([MISSING], { node, wants })[0]
    for (const node of ['20.20.0', '22.18.0'])
      assert.equal(
        whyOn(node),
        `it needs ${MISSING}, which npm leaves out unless Node is >=22.19.0; this is ${node}`
      )
    for (const node of ['22.19.0', '24.0.0']) assert.match(whyOn(node), /which is not installed/)
    assert.match(whyOn('22.0.0', '>=22'), /which is not installed/)
  })

  it('of another one is not looked for where that is missing', () =>
    assert.deepEqual(findPackageProblems([MISSING, 'libp2p'], { node: '20.0.0' }), []))
})
