import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nearestTo, rowText } from '../../../../src/report/page/script/marks.js'

const HIGH = { left: 0, right: 10, top: 0, bottom: 100 }
const LOW = { left: 11, right: 21, top: 95, bottom: 100 }

test('pointing above a low bar finds it, beside it the next one', () => {
  assert.equal(nearestTo([HIGH, LOW], { x: 16, y: 90 }), 1)
  assert.equal(nearestTo([HIGH, LOW], { x: 12, y: 20 }), 0)
  assert.equal(nearestTo([HIGH, LOW], { x: 5, y: 50 }), 0)
  assert.equal(nearestTo([], { x: 5, y: 50 }), -1)
})

test('of marks over one another the topmost is meant', () =>
  assert.equal(nearestTo([HIGH, { ...HIGH, top: 40 }], { x: 5, y: 50 }), 1))

test('a mark says what it stands for, and nothing of what it does not have', () =>
  assert.equal(
    rowText(
      {
        headings: ['Time, ms, from', 'to', 'Messages', 'doubtful'],
        rows: [
          [1.5, 2, 12345, null],
          [2, 2.5, 3, 'yes']
        ]
      },
      0
    ),
    'Time, ms, from: 1.5 · to: 2 · Messages: 12,345'
  ))
