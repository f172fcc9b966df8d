import assert from 'node:assert/strict'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { LINES } from '../../scripts/golden/lines.js'
import { heldText, ROOT, runLine } from '../../scripts/golden/run-line.js'
import { newFolder, PAIRS, TIMEOUT } from '../acceptance/loadtest.js'

describe('what runs say is as fixtures/golden has it', PAIRS, () => {
  for (const line of LINES.filter(({ live }) => live !== undefined))
    test(line.name, TIMEOUT, async () => {
      const folder = await newFolder()
      const place = { cwd: join(folder, 'cwd'), cache: join(folder, 'cache') }
      await mkdir(place.cwd)
      const held = heldText(await runLine(line, place))
      assert.equal(held, await readFile(join(ROOT, 'fixtures/golden', `${line.name}.txt`), 'utf8'))
    })
})
