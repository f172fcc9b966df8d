import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { share } from '../../src/report/description.js'

describe('a share reads 100 only when nothing is missing', () => {
  for (const [part, whole, shown] of /** @type {[number, number, string][]} */ ([
    [100, 100, '100'],
    [999_999, 1_000_000, '99.99'],
    [1, 3, '33.33'],
    [1, 1_000_000, '< 0.01'],
    [0, 5, '0'],
    [0, 0, '–']
  ]))
    test(`${part} of ${whole} is ${shown}`, () => assert.equal(share(part, whole), shown))
})
