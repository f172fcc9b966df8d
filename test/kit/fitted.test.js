import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fitted, flowed, sparkline, wrapped } from '../../src/kit/text-layout.js'

describe('a line of a terminal', () => {
  for (const [columns, line] of /** @type {[number, string][]} */ ([
    [80, 'measuring   12 / 40   p50 3 ms'],
    [30, 'measuring   12 / 40   p50 3 ms'],
    [29, 'measuring   12 / 40'],
    [12, 'measuring'],
    [4, 'meas']
  ]))
    it(`of ${columns} columns leaves out from the right what does not fit`, () => {
      assert.equal(fitted(['measuring', '12 / 40', 'p50 3 ms'], columns), line)
    })

  it('leaves out what is behind the first that does not fit, too', () => {
    assert.equal(fitted(['a', 'bbbbbbbbbb', 'c'], 8), 'a')
  })
})

it('figures flow into as many lines as they need, each whole', () => {
  assert.deepEqual(flowed(['Ops 1,200', 'Errors 0', 'p50 3.10', 'p99 12.0'], 20), [
    'Ops 1,200   Errors 0',
    'p50 3.10   p99 12.0'
  ])
  assert.deepEqual(flowed(['longer than there is room for'], 10), ['longer than there is room for'])
})

it('a text is broken between words, and what follows is indented', () => {
  const lines = wrapped('the load generator itself added more than a tenth', 24).split('\n')
  assert.deepEqual(lines, ['the load generator', '  itself added more than', '  a tenth'])
})

describe('a sparkline', () => {
  for (const [values, line] of /** @type {[number[], string][]} */ ([
    [[0, 1, 2, 4, 8], ' ▁▂▄█'],
    [[5, 5], '██'],
    [[0, 0], '  '],
    [[], '']
  ]))
    it(`of ${values.join(', ') || 'nothing'} is "${line}"`, () => assert.equal(sparkline(values), line))
})
