import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { measuredResult } from '../report/measured-result.js'
import { goldenGossipPage, goldenPage } from '../report/page/golden.js'
import { sampleResult } from '../report/sample-result.js'
import { abPage, matrixHtmlPage as matrixPage, reportPage } from '../report/shown.js'
import { abSample } from '../studies/comparison/ab-sample.js'
import { madeUpMatrix } from '../studies/matrix/made-up-matrix.js'
import { skipWithoutBrowser, withPage } from './browser.js'
import { newFolder, QUICK, run, TIMEOUT } from './loadtest.js'

const LOOKS = [360, 1400].flatMap(width =>
  /** @type {const} */ (['light', 'dark']).map(scheme => ({ width, scheme }))
)

/** A page is too wide when it can be scrolled sideways, or when something sticks out of it. Runs in the browser. */
function overflow() {
  const room = document.documentElement.clientWidth
  const outside = [...document.querySelectorAll('main *')].filter(element => {
    if (element.closest('.scroll, svg, details:not([open])') && !element.matches('.scroll')) return false
    const { left, right, width } = element.getBoundingClientRect()
    return width > 0 && (left < -0.5 || right > room + 0.5)
  })
  return {
    scrollable: document.documentElement.scrollWidth - room,
    outside: outside.map(element => `${element.tagName}.${element.className}`)
  }
}

/** What can be seen of each plot. Runs in the browser. */
function plots() {
  return [...document.querySelectorAll('.plot')].map(plot => {
    const shown = [...plot.querySelectorAll('.frame svg')].filter(
      svg => svg.getBoundingClientRect().width > 0
    )
    const [svg] = /** @type {SVGSVGElement[]} */ (shown)
    const box = svg?.getBoundingClientRect()
    const texts = [...(svg?.querySelectorAll('text') ?? [])]
    return {
      id: plot.id,
      shown: shown.length,
      width: box?.width ?? 0,
      height: box?.height ?? 0,
      scale: (box?.width ?? 0) / (svg?.viewBox.baseVal.width ?? 1),
      named:
        svg?.querySelector('title')?.textContent !== '' && svg?.querySelector('desc')?.textContent !== '',
      texts: texts.length,
      smallest: Math.min(...texts.map(text => text.getBoundingClientRect().height)),
      outside: texts
        .filter(text => {
          const { left, right, top, bottom } = text.getBoundingClientRect()
          return left < box.left - 1 || right > box.right + 1 || top < box.top - 1 || bottom > box.bottom + 1
        })
        .map(text => text.textContent)
    }
  })
}

/** Colours as they come out. Runs in the browser. */
function colours() {
  const { backgroundColor: paper, color: ink } = getComputedStyle(document.body)
  const paints = [...document.querySelectorAll('.frame svg [fill], .frame svg [stroke]')].map(mark => {
    const { fill, stroke } = getComputedStyle(mark)
    return [fill, stroke].find(paint => paint !== 'none') ?? 'none'
  })
  return { paper, ink, paints: [...new Set(paints)] }
}

/** @param {string} file */
function looksRight(file) {
  /** @type {Record<string, Set<string>>} */
  const papers = { light: new Set(), dark: new Set() }
  return () =>
    withPage(file, LOOKS[0], async (page, { complaints, requests }) => {
      for (const look of LOOKS) {
        await page.setViewportSize({ width: look.width, height: 900 })
        await page.emulateMedia({ colorScheme: look.scheme })
        const where = `${look.width} px, ${look.scheme}`
        assert.deepEqual(complaints, [], where)
        assert.deepEqual(requests, [], where)
        const { scrollable, outside } = await page.evaluate(overflow)
        assert.deepEqual({ scrollable, outside }, { scrollable: 0, outside: [] }, where)
        for (const plot of await page.evaluate(plots)) {
          const what = `${plot.id}, ${where}: ${JSON.stringify(plot)}`
          assert.equal(plot.shown, 1, what)
          assert.ok(plot.width >= 280 && plot.width <= look.width && plot.height >= 180, what)
          assert.ok(plot.scale > 0.85 && plot.scale < 1.25, what)
          assert.ok(plot.named && plot.texts >= 5 && plot.smallest >= 9, what)
          assert.deepEqual(plot.outside, [], what)
        }
        const { paper, paints } = await page.evaluate(colours)
        papers[look.scheme].add(paper)
        assert.ok(!paints.includes(paper) || paints.length > 2, where)
      }
      assert.equal(papers.light.size, 1)
      assert.equal(papers.dark.size, 1)
      assert.notDeepEqual(papers.light, papers.dark)
    })
}

describe('pages in a browser', skipWithoutBrowser('pages in a browser'), () => {
  /** @type {Record<string, string>} */
  const files = {}

  before(async () => {
    const folder = await newFolder()
    const { document, results } = madeUpMatrix()
    const unfinished = sampleResult({
      outcome: { operations: {}, rounds: [], server: null },
      result: { status: 'partial', reason: { code: 'UNFINISHED', message: 'the run has not ended yet' } }
    })
    const short = measuredResult({ options: { benchmarkRuns: 50 }, types: ['REGISTER'], perSecond: 50 })
    // the number at the end of its axes, 0.18, has the end beside it
    for (const round of short.outcome.rounds) round.durationMs = 181
    const pages = {
      run: await goldenPage(),
      short: await reportPage(short),
      gossip: await goldenGossipPage(),
      unfinished: await reportPage(unfinished),
      matrix: await matrixPage(document, results),
      ab: await abPage(abSample())
    }
    for (const [name, text] of Object.entries(pages)) {
      files[name] = join(folder, `${name}.html`)
      await writeFile(files[name], text)
    }
  }, TIMEOUT)

  for (const name of ['run', 'short', 'gossip', 'unfinished', 'matrix', 'ab'])
    test(`${name}: whole, quiet, in both themes, narrow and wide`, TIMEOUT, () => looksRight(files[name])())

  test('that of a run is in its folder when the run has ended', TIMEOUT, async () => {
    const { code, folder, result } = await run([...QUICK, '--benchmarkRuns', '50'])
    assert.equal(code, 0)
    const file = join(folder, 'report.html')
    await looksRight(file)()
    await withPage(file, LOOKS[0], async page => {
      assert.equal(await page.locator('h1').textContent(), `rendezvous · ${result.id}`)
      assert.match(
        (await page.locator('.lead p').first().textContent()) ?? '',
        /The server answered 50 REGISTER at/
      )
      assert.ok((await page.locator('.plot').count()) >= 3)
    })
  })

  test('a wide table scrolls in its own box, by keyboard too', TIMEOUT, () =>
    withPage(files.matrix, { width: 360, scheme: 'light' }, async page => {
      const box = page.locator('.scroll').first()
      await box.focus()
      await page.keyboard.press('End')
      for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowRight')
      await page.waitForFunction(() => (document.querySelector('.scroll')?.scrollLeft ?? 0) > 0)
      assert.equal(await page.evaluate(() => window.scrollX), 0)
    })
  )
})
