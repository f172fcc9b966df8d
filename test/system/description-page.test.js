import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { writeDescriptionPage } from '../../src/report/page.js'
import { newFolder, TIMEOUT } from '../acceptance/loadtest.js'
import { sampleDescription } from '../report/sample-description.js'
import { skipWithoutBrowser, withPage } from './browser.js'
import { AXE, drawn, overflow } from './page-looks.js'

/** @typedef {import('playwright-core').Page} Page */

const WIDE = /** @type {const} */ ({ width: 1280, scheme: 'light' })
const LOOKS = /** @type {const} */ ([
  { width: 360, scheme: 'light' },
  { width: 1280, scheme: 'dark' }
])

/** @param {Page} page @param {string} id */
const tipOf = (page, id) => page.locator(`#${id} .tip`)

/** Points at a place of a plot, as shares of its width and height. @param {Page} page @param {string} id @param {number} x @param {number} y */
async function pointAt(page, id, x, y) {
  const room = page.locator(`#${id} .room`)
  await room.scrollIntoViewIfNeeded()
  const box = await room.boundingBox()
  assert.ok(box)
  await page.mouse.move(box.x + x * box.width, box.y + y * box.height)
  return { left: box.x, top: box.y, ...box }
}

/** What is said of each plot: by pointer, and by the keys that come after. @type {Record<string, { at: [number, number], says: RegExp, keys: string[], after: RegExp }>} */
const SAID = {
  percentiles: {
    at: [0.5, 0.5],
    says: /^p9\d[\s\S]*REGISTER: [\d.]+[\s\S]*published: /,
    keys: ['Home'],
    after: /^p0REGISTER: 0\.\d+published: 0\.7/
  },
  throughput: {
    at: [0.5, 0.5],
    says: /began, s: \d+REGISTER: [\d,]+/,
    keys: ['Home', 'ArrowRight'],
    after: /began, s: 1REGISTER: [\d,]+due: 3,000/
  },
  cpu: {
    at: [0.5, 0.5],
    says: /average: [\d.]+ \([\d.]+ to [\d.]+\)/,
    keys: ['End'],
    after: /began, s: 59\.5samples: \d+/
  },
  times: {
    at: [0.3, 0.5],
    says: /Response time, ms: [\d.]+ to [\d.]+Operations: [\d,]+/,
    keys: ['Home'],
    after: /ms: 0 to 0\.1Operations: /
  },
  hops: {
    at: [0.4, 0.5],
    says: /this run: \d+baseline: \d+|this run: 1,200/,
    keys: ['End'],
    after: /Hops: 6this run: 4baseline: 11/
  },
  sizes: {
    at: [0.5, 0.5],
    says: /Size, bytes: [\d,]+1 peers: [\d.]+[\s\S]*8 peers: /,
    keys: ['Home'],
    after: /Size, bytes: 1/
  },
  heat: {
    at: [0.5, 0.78],
    says: /began, s: [\d.]+ to [\d.]+Response time, ms: [\d.]+ to [\d.]+Count: /,
    keys: ['ArrowRight'],
    after: /Count: /
  },
  regions: {
    at: [0.3, 0.5],
    says: /Virginia, |Frankfurt, |Tokyo, /,
    keys: ['ArrowRight', 'ArrowUp', 'Home'],
    after: /, Frankfurt/
  },
  outcomes: { at: [0.2, 0.8], says: /Server B, /, keys: ['End', 'PageDown'], after: /Server B, Latenot run/ },
  network: {
    at: [0.5, 0.5],
    says: /Node \d+Median delivery, ms: \d+Links: \d+/,
    keys: ['Home'],
    after: /Node \d+/
  },
  'cpu-profile': {
    at: [0.2, 0.4],
    says: /handleMessage|decode/,
    keys: ['ArrowUp', 'ArrowUp', 'ArrowDown'],
    after: /handleMessageSamples: 620 \(62 %\)own/
  }
}

describe(
  'page of a description in a browser',
  skipWithoutBrowser('page of a description in a browser'),
  () => {
    let file = ''
    before(async () => {
      file = join(await newFolder(), 'report.html')
      const head = {
        id: '20261128-0825-rendezvous-1',
        when: '2026-11-28 08:25 UTC · took 18.2 s',
        command: 'node index.js rerun x',
        files: ['result.json']
      }
      await writeFile(file, writeDescriptionPage(sampleDescription, { head }))
    })

    for (const { width, scheme } of LOOKS)
      test(
        `${width} px, ${scheme}: every plot is drawn, nothing sticks out, nothing is loaded or complained of, axe finds nothing serious`,
        TIMEOUT,
        () =>
          withPage(file, { width, scheme }, async (page, { complaints, requests }) => {
            for (const { id, marks } of await page.evaluate(drawn)) assert.ok(marks >= 4, `${id}: ${marks}`)
            assert.deepEqual(await page.evaluate(overflow), [0])
            await page.evaluate(AXE)
            const { violations } = await page.evaluate(() => /** @type {any} */ (globalThis).axe.run())
            const serious = violations.filter((/** @type {any} */ { impact }) =>
              ['serious', 'critical'].includes(impact)
            )
            assert.deepEqual(
              serious.map((/** @type {any} */ { id, nodes }) => [id, nodes[0].html, nodes[0].failureSummary]),
              []
            )
            assert.deepEqual([complaints, requests], [[], []])
          })
      )

    test('without its script: tables are there, nothing sticks out', TIMEOUT, () =>
      withPage(file, { width: 360, scheme: 'light', script: false }, async page => {
        assert.equal(await page.locator('table').count(), 3)
        assert.match(await page.innerText('noscript'), /drawn by the script/)
      })
    )

    test('each plot says its values by pointer and by keyboard', TIMEOUT, async t => {
      await withPage(file, WIDE, async (page, { complaints }) => {
        for (const [id, { at, says, keys, after }] of Object.entries(SAID))
          await t.test(id, async () => {
            await pointAt(page, id, ...at)
            assert.match((await tipOf(page, id).textContent()) ?? '', says)
            await page.locator(`#${id} .live`).focus()
            for (const key of keys) await page.keyboard.press(key)
            assert.match((await tipOf(page, id).textContent()) ?? '', after)
            assert.equal(await tipOf(page, id).getAttribute('role'), 'status')
          })
        assert.deepEqual(
          Object.keys(SAID).sort(),
          sampleDescription.plots.flatMap(({ id }) => (id === 'empty' ? [] : id)).sort()
        )
        assert.deepEqual(complaints, [])
      })
    })

    test(
      'lines, bars, heat maps and networks zoom by drag, and back by Escape, double click and a button',
      TIMEOUT,
      () =>
        withPage(file, WIDE, async page => {
          const resets = { throughput: 'Escape', times: 'dblclick', heat: 'button', network: 'Escape' }
          for (const [id, by] of Object.entries(resets)) {
            const whole = page.locator(`#${id}`).getByRole('button', { name: 'Show all' })
            assert.equal(await whole.isVisible(), false, id)
            const { left, top, width, height } = await pointAt(page, id, 0.35, 0.4)
            await page.mouse.down()
            await page.mouse.move(left + 0.6 * width, top + 0.6 * height, { steps: 4 })
            await page.mouse.up()
            assert.equal(await whole.isVisible(), true, id)
            if (by === 'button') await whole.click()
            else if (by === 'dblclick') await page.mouse.dblclick(left + width / 2, top + height / 2)
            else {
              await page.locator(`#${id} .live`).focus()
              await page.keyboard.press('Escape')
            }
            assert.equal(await whole.isVisible(), false, id)
          }
        })
    )

    test('a frame of a flame graph takes the whole width when it is pressed', TIMEOUT, () =>
      withPage(file, WIDE, async page => {
        const frames = page.locator('#cpu-profile .frames > div:visible')
        const all = await frames.count()
        await page.locator('#cpu-profile .frames > div', { hasText: 'verifySignature' }).click()
        assert.ok((await frames.count()) < all)
        await page.locator('#cpu-profile').getByRole('button', { name: 'Show all' }).click()
        assert.equal(await frames.count(), all)
        await page.locator('#cpu-profile .live').focus()
        for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
        assert.ok((await frames.count()) < all)
      })
    )

    test(
      'series are hidden by their legend; values and CSV of plots and tables can be had; tables are sorted',
      TIMEOUT,
      () =>
        withPage(file, WIDE, async page => {
          const plot = page.locator('#throughput')
          const due = plot.getByRole('button', { name: 'due' })
          await due.click()
          assert.equal(await due.getAttribute('aria-pressed'), 'false')
          await pointAt(page, 'throughput', 0.5, 0.5)
          assert.doesNotMatch((await tipOf(page, 'throughput').textContent()) ?? '', /due/)
          await plot.getByText('Values').click()
          await plot.locator('details table').waitFor()
          assert.equal(await plot.locator('details tbody tr').count(), 60)
          await page.locator('#heat').getByText('Values').click()
          await page.locator('#heat details p').waitFor()
          assert.match(await page.locator('#heat details').innerText(), /The first 200 of \d+ rows/)
          const saved = async (/** @type {string} */ id) => {
            const [download] = await Promise.all([
              page.waitForEvent('download'),
              page.locator(`#${id}`).getByRole('button', { name: 'CSV' }).click()
            ])
            return [download.suggestedFilename(), await readFile(await download.path(), 'utf8')]
          }
          const [name, text] = await saved('hops')
          assert.equal(name, 'hops.csv')
          assert.match(text, /^"Hops, from",to,this run,baseline\n0\.6,1\.4,90,80\n/)
          assert.match(
            (await saved('run'))[1],
            /\nREGISTER,refresh,4,100,29480,18,1\.02,0\.951,3\.13,4\.87,35\.4,128\.4,server CPU\n$/
          )
          const times = page.locator('#response-times')
          await times.getByRole('button', { name: 'Count' }).click()
          assert.deepEqual(await times.locator('tbody td:nth-child(2)').allTextContents(), [
            '4',
            '18',
            '90',
            '120',
            '29,462'
          ])
          assert.equal(await times.locator('th[aria-sort]').getAttribute('aria-sort'), 'ascending')
        })
    )
  }
)
