import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeWords } from '../../../../src/studies/comparison/view/change-words.js'

test('where what was carried in a second changed is said, with how much it was before and after', () =>
  assert.equal(
    changeWords({ at: 30, before: 100, after: 50.4 }, 60),
    'what was carried in a second changed after 30.0 s, from 100 to 50.4'
  ))

test('that nothing changed is said of a run that was long enough to tell', () => {
  assert.equal(changeWords(null, 20), 'what was carried in a second did not change')
  assert.match(changeWords(null, 19), /^the run is too short to tell/)
})
