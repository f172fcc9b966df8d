import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failedBeyond } from '../../../../src/studies/qa/qa-document.js'
import { aTrial } from '../a-qa-document.js'

const carried = aTrial(50)
const lost = aTrial(100, null)

test('a cell that failed at more than is carried is an answer', () =>
  assert.equal(failedBeyond({ cells: [carried, lost] }, lost), true))

test('a cell that failed at a load that is carried elsewhere is a failure', () => {
  const less = aTrial(25, null)
  assert.equal(failedBeyond({ cells: [carried, less] }, less), false)
})

test('where no cell is carried each that failed is a failure', () => {
  const beyond = aTrial(100, { achieved: 100 })
  assert.equal(failedBeyond({ cells: [beyond, lost] }, lost), false)
  assert.equal(failedBeyond({ cells: [lost] }, lost), false)
})

test('what did not fail, or is no cell, did not fail beyond', () => {
  const more = aTrial(100)
  assert.equal(failedBeyond({ cells: [carried, more] }, more), false)
  assert.equal(failedBeyond({ cells: [carried] }, lost), false)
})
