import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { presetInWords } from '../../../../src/studies/cluster/view/cluster-text.js'

test('whose rate it is is said in a sentence, of a preset that is not known any more by its name', () => {
  assert.match(presetInWords({ preset: 'waku' }), /^The rate of Waku/)
  assert.equal(presetInWords({ preset: /** @type {any} */ ('of-old') }), 'of-old')
})
