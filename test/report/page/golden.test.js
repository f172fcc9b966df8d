import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { GOLDEN, goldenPage, RENEW } from './golden.js'

test('the page of a fixed result is the one that was looked at last', async () => {
  const [expected, actual] = [await readFile(GOLDEN, 'utf8'), await goldenPage()].map(page =>
    page.split('\n')
  )
  const line = expected.findIndex((text, i) => text !== actual[i])
  const differs = line >= 0 || actual.length !== expected.length
  assert.ok(
    !differs,
    `line ${line + 1} is ${actual[line]?.slice(0, 300)}\nand was ${expected[line]?.slice(0, 300)}\nRenew it with ${RENEW}, and look at it.`
  )
})
