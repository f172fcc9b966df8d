import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { skipWithoutBrowser, withPage } from './browser.js'
import { assertComplete } from './consistent.js'
import { QUICK, runSaying, TIMEOUT } from './loadtest.js'

const SHOWN_MS = 90_000

/** @param {string} url */
async function recordsOf(url) {
  const response = await fetch(`${url}records`)
  return [...(await response.text()).matchAll(/^data: (.*)$/gm)].map(([, line]) => JSON.parse(line))
}

describe('--dashboard', () => {
  /** @type {Promise<import('./loadtest.js').Outcome>} */
  let ended
  /** @type {string} */
  let url
  /** @type {ReturnType<typeof recordsOf>} */
  let records
  before(async () => {
    const load = [...QUICK, '--nClients', '2', '--thinkTime', '20ms', '--duration', '4s']
    const shown = ['--initialRegistrations', '10', '--threshold', 'errorRate < 50%', '--dashboard']
    const going = await runSaying([...load, ...shown], /^dashboard at (http:\S+)$/m)
    ended = going.ended
    url = going.said[1]
    records = recordsOf(url)
    records.catch(() => {})
  })
  after(() => ended)

  test(
    'is a page that shows the figures of a run while it goes on, and how it ended',
    { ...TIMEOUT, ...skipWithoutBrowser('the page of a run that goes on') },
    () =>
      withPage(url, { width: 390, scheme: 'light' }, async (page, { complaints, requests }) => {
        await page.waitForSelector('#tiles dt:has-text("p99")', { timeout: SHOWN_MS })
        await page.waitForSelector('.plot:not([hidden]) canvas', { timeout: SHOWN_MS })
        await page.waitForSelector('#verdict :text("Complete.")', { timeout: SHOWN_MS })
        assert.match(
          await page.innerText('#verdict'),
          /errorRate < 50% holds[\s\S]*Its result is in .*-rendezvous-/
        )
        assert.match(await page.innerText('#phases'), /warming up[\s\S]*measuring/)
        assert.match(await page.innerText('#values'), /REGISTER\.count\s+[\d,]+/)
        const { scrollWidth, clientWidth } = await page.evaluate(() => {
          const { scrollWidth, clientWidth } = document.documentElement
          return { scrollWidth, clientWidth }
        })
        assert.equal(scrollWidth, clientWidth, 'nothing sticks out')
        assert.deepEqual(complaints, [])
        assert.deepEqual(requests, [`${url}records`])
      })
  )

  test('tells what goes on from begin to end, and ends with the run', TIMEOUT, async () => {
    const lines = await records
    assertComplete(await ended)
    assert.deepEqual(
      [lines[0], lines.at(-2), lines.at(-1)].map(({ type }) => type),
      ['start', 'end', 'over']
    )
    assert.ok(lines.some(({ type, p99Ms, rssBytes }) => type === 'progress' && p99Ms > 0 && rssBytes > 0))
    await assert.rejects(fetch(url))
  })
})
