import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeExpectedPower } from '../../../src/studies/compare/plan.js'

test('too few pairs decide nothing', () => {
  assert.match(describeExpectedPower(1, 8), /^1 pair of runs cannot decide anything: 8 are needed/)
  assert.match(describeExpectedPower(3, 8), /^3 pairs of runs cannot/)
})

test('the change that pairs show grows with the scatter', () => {
  const said = describeExpectedPower(8, 8)
  const [, less, more] = said.match(/change of ([\d.]+) % \(.* 5 %\) or ([\d.]+) % \(.* 10 %\);/) ?? []
  assert.ok(Number(less) > 0 && Number(more) > Number(less), said)
})
