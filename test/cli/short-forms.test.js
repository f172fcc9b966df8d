import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inFull } from '../../src/cli/short-forms.js'

describe('what is typed in short is written out:', () => {
  for (const [typed, full] of /** @type {[string, string][]} */ ([
    ['abuse frames', 'abuse --kinds frames'],
    ['abuse frames --pairs 2', 'abuse --kinds frames --pairs 2'],
    ['--abuse frames --pairs 2', 'abuse --kinds frames --pairs 2'],
    ['--abuse=frames --pairs 2', 'abuse --kinds frames --pairs 2'],
    ['--pairs 2 --abuse frames', 'abuse --kinds frames --pairs 2'],
    ['--abuse', 'abuse'],
    ['--abuse --pairs 2', 'abuse --pairs 2'],
    // is as it was
    ['abuse', 'abuse'],
    ['abuse --kinds frames', 'abuse --kinds frames'],
    ['abuse --help', 'abuse --help'],
    ['', ''],
    ['--nClients 4', '--nClients 4'],
    ['gossip --abuse frames', 'gossip --abuse frames'],
    ['--iOwnTheTarget abuse', '--iOwnTheTarget abuse']
  ]))
    test(`'${typed}'`, () => {
      const words = (/** @type {string} */ text) => (text === '' ? [] : text.split(' '))
      assert.deepEqual(inFull(words(typed)), words(full))
    })
})
