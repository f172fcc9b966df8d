import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readCommandOptions } from '../../../../src/plan/command-options.js'
import { VALIDATION_OPTIONS } from '../../../../src/studies/validation/plan/validation-options.js'

/** @param {Record<string, unknown>} options */
const read = options => readCommandOptions(VALIDATION_OPTIONS, options)

describe('the options of a validation', () => {
  test('are usual where they are not given', () => {
    const { own, problems } = read({})
    assert.deepEqual(problems, [])
    assert.deepEqual([own.validate, own.validateSeeds, own.only], [false, 10, undefined])
  })

  test('choose cases by one pattern or several', () => {
    assert.deepEqual(read({ only: 'full-*' }).own.only, ['full-*'])
    assert.deepEqual(read({ only: ['full-*', 'ring-*'] }).own.only, ['full-*', 'ring-*'])
  })

  for (const [name, value] of /** @type {[string, unknown][]} */ ([
    ['only', ''],
    ['only', [7]],
    ['validateSeeds', '1'],
    ['validateSeeds', '101']
  ]))
    test(`refuse --${name} ${JSON.stringify(value)}`, () =>
      assert.deepEqual(
        read({ [name]: value }).problems.map(({ flag }) => flag),
        [`--${name}`]
      ))
})
