import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { cp, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { loadScenario } from '../../src/scenarios/index.js'
import { rebuild } from '../../src/studies/index.js'
import { newFolder, TIMEOUT } from '../acceptance/loadtest.js'
import { skipWithoutBrowser, withPage } from './browser.js'
import { drawn, overflow } from './page-looks.js'

const STORED = fileURLToPath(new URL('../../fixtures/results-0.1.0', import.meta.url))

/** More bytes are slow to mail and to open. */
const MAX_BYTES = 250_000

describe(
  'pages of stored results of every scenario and study',
  skipWithoutBrowser('pages of stored results'),
  async () => {
    // a result of abuse is not read any more, and says what takes its place
    for (const name of (await readdir(STORED)).filter(name => name !== 'abuse'))
      test(`${name}: draws its plots at 360 px, nothing sticks out, nothing is loaded`, TIMEOUT, async () => {
        const folder = join(await newFolder(), name)
        await cp(join(STORED, name), folder, { recursive: true })
        await rebuild(folder, { csv: false, runs: false, find: loadScenario }).catch(() =>
          // a single run has no others
          rebuild(folder, { csv: false, runs: true, find: loadScenario })
        )
        const file = join(folder, 'report.html')
        const { size } = await stat(file)
        assert.ok(size < MAX_BYTES, `${size} bytes`)
        await withPage(file, { width: 360, scheme: 'light' }, async (page, { complaints, requests }) => {
          for (const { id, marks } of await page.evaluate(drawn)) assert.ok(marks >= 2, `${id}: ${marks}`)
          assert.deepEqual(await page.evaluate(overflow), [0])
          assert.deepEqual([complaints, requests], [[], []])
        })
      })
  }
)
