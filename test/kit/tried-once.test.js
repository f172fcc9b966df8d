import assert from 'node:assert/strict'
import { test } from 'node:test'
import { triedOnce } from '../../src/kit/runtime.js'

/** @param {(place: string) => string | null} found */
function machine(found) {
  const asked = /** @type {string[]} */ ([])
  const at = { place: 'here' }
  const trial = () => {
    asked.push(at.place)
    return found(at.place)
  }
  return { at, asked, lack: triedOnce(trial, () => at.place) }
}

test('what works is tried once, in each place', () => {
  const { at, asked, lack } = machine(() => null)
  assert.deepEqual([lack(), lack()], [null, null])
  at.place = 'there'
  assert.deepEqual([lack(), lack()], [null, null])
  assert.deepEqual(asked, ['here', 'there'])
})

test('what is lacking is tried anew, until it is there', () => {
  const answers = ['nothing is installed', 'it is broken', null]
  const { asked, lack } = machine(() => answers.shift() ?? null)
  assert.deepEqual([lack(), lack(), lack(), lack()], ['nothing is installed', 'it is broken', null, null])
  assert.equal(asked.length, 3)
})

test('what works here may be lacking there', () => {
  const { at, lack } = machine(place => (place === 'here' ? null : 'nothing is there'))
  assert.equal(lack(), null)
  at.place = 'there'
  assert.equal(lack(), 'nothing is there')
})
