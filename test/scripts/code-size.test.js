import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { codeSize } from '../../scripts/parts/code-size.js'

describe('the size of a module', () => {
  it('is the same with other layout, comments and types', () => {
    const bare = codeSize('export const twice = n => n * 2')
    const told = codeSize(`
      /**
       * twice as much.
       *
       * @param {number} n
       */
      export const twice = n =>
        n * 2 // not squared`)
    assert.equal(bare.tokens, 9)
    assert.equal(told.tokens, bare.tokens)
  })

  it('holds every function with its lines, those of classes and inside others too', () => {
    const { functionLines } = codeSize(`class Sum {
      add(values) {
        return values.reduce((sum, value) => sum + value)
      }
    }
    async function load() {}`)
    assert.deepEqual(functionLines.toSorted(), [1, 1, 3])
  })
})
