import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { validationSentences } from '../../../../src/studies/validation/view/validation-sentences.js'
import { aValidationDocument } from '../a-validation-document.js'

/** @param {string[]} [engines] */
const ofWhat = engines => {
  const verdict = { passed: true, conditions: [], measures: [], counter: [], engines }
  return validationSentences(aValidationDocument({ verdict }))[1]
}

test('a validation says what simulated its runs, for another engine may agree or not', () => {
  assert.match(ofWhat(['engine-7']), /^1 seeds, real on TCP and simulated by engine 7: 20 messages/)
  assert.match(ofWhat(['engine-6', 'engine-7']), / by engine 6 and engine 7: /)
  assert.match(ofWhat(), / and simulated: /)
})
