import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { descriptionSchema } from '../../src/report/schema.js'
import { assertComplete } from '../acceptance/consistent.js'
import { QUICK, runSaying, TIMEOUT } from '../acceptance/loadtest.js'
import { skipWithoutBrowser, withPage } from './browser.js'

const SHOWN_MS = 90_000

/** @param {string} url */
async function recordsOf(url) {
  const response = await fetch(`${url}records`)
  return [...(await response.text()).matchAll(/^data: (.*)$/gm)].map(([, line]) => JSON.parse(line))
}

describe('--dashboard', () => {
  /** @type {Promise<import('../acceptance/loadtest.js').Outcome>} */
  let ended
  /** @type {string} */
  let url
  /** @type {ReturnType<typeof recordsOf>} */
  let records
  before(async () => {
    const load = [...QUICK, '--nClients', '2', '--thinkTime', '20ms', '--duration', '12s']
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
        await page.waitForSelector('#_top dt:has-text("p99")', { timeout: SHOWN_MS })
        await page.waitForSelector('#live-rate canvas', { timeout: SHOWN_MS })
        await page.waitForSelector('#_top :text("Complete.")', { timeout: SHOWN_MS })
        assert.match(
          await page.innerText('#_top'),
          /errorRate < 50% passed[\s\S]*The result is in .*-rendezvous-/
        )
        assert.match(await page.innerText('#live-phases'), /warming up[\s\S]*measuring/)
        assert.match((await page.textContent('#live-figures')) ?? '', /REGISTER\.count\s*[\d,]+/)
        const { scrollWidth, clientWidth } = await page.evaluate(() => {
          const { scrollWidth, clientWidth } = document.documentElement
          return { scrollWidth, clientWidth }
        })
        assert.equal(scrollWidth, clientWidth, 'nothing sticks out')
        assert.deepEqual(complaints, [])
        assert.deepEqual(requests, [`${url}records`])
      })
  )

  test('sends the state of a run, about once a second, and ends with the run', TIMEOUT, async () => {
    const states = await records
    assertComplete(await ended)
    assert.ok(states.length > 3 && states.length < 40, `${states.length}`)
    for (const { description } of states) descriptionSchema.parse(description)
    assert.ok(
      states.some(({ description: { plots } }) =>
        plots.some((/** @type {any} */ { id }) => id === 'live-times')
      )
    )
    assert.deepEqual([states.at(-2).over, states.at(-1).over], [false, true])
    await assert.rejects(fetch(url))
  })
})
