import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'

const FOLDER = new URL('../../../src/network/links/', import.meta.url)
const FILES = readdirSync(FOLDER).filter(name => name.endsWith('.js'))

/** Of Math, what the standard fixes to the last bit. */
const EXACT = ['abs', 'ceil', 'floor', 'max', 'min', 'round', 'sqrt', 'trunc', 'LN2', 'SQRT2']

/** @param {string} source */
const withoutComments = source => source.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')

/** @param {string} source @returns {string[]} what may differ between engines, or knows the time */
function inexact(source) {
  const code = withoutComments(source)
  const math = [...code.matchAll(/Math\.(\w+)/g)].map(([, name]) => name)
  const others =
    code.match(/\*\*|\b(?:Date|performance|process|setTimeout|setImmediate|setInterval)\b/g) ?? []
  return [...math.filter(name => !EXACT.includes(name)), ...others]
}

describe('the network model', () => {
  for (const name of FILES) {
    it(`${name} calculates with what is the same in every engine, and knows no clock`, () => {
      assert.deepEqual(inexact(readFileSync(new URL(name, FOLDER), 'utf8')), [])
    })
  }

  it('such a test finds what it looks for', () => {
    assert.deepEqual(inexact('const a = Math.log(2) + Math.min(3, x ** 2) // Math.exp\nDate.now()'), [
      'log',
      '**',
      'Date'
    ])
  })
})
