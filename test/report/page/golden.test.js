import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { describe, test } from 'node:test'
import { GOLDEN, RENEW } from './golden.js'

describe('the page of a fixed result is the one that was looked at last', () => {
  for (const [file, page] of GOLDEN)
    test(basename(file), async () => {
      const [expected, actual] = [await readFile(file, 'utf8'), await page()].map(text => text.split('\n'))
      const line = expected.findIndex((text, i) => text !== actual[i])
      const differs = line >= 0 || actual.length !== expected.length
      assert.ok(
        !differs,
        `line ${line + 1} is ${actual[line]?.slice(0, 300)}\nand was ${expected[line]?.slice(0, 300)}\nRenew it with ${RENEW}, and look at it.`
      )
    })
})
