import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { comparisonPage } from '../../src/studies/comparison/view/comparison-page.js'
import { qaPage } from '../../src/studies/qa/view/page/qa-page.js'
import { modelledRun } from '../cli/modelled-server.js'
import { measuredResult } from '../report/measured-result.js'
import { goldenGossipPage, goldenPage } from '../report/page/golden.js'
import { sampleResult } from '../report/sample-result.js'
import { matrixHtmlPage as matrixPage, reportPage, viewOf } from '../report/shown.js'
import { anAbuseResult } from '../scenarios/abuse/an-abuse-result.js'
import { aProfileResult } from '../scenarios/profile/view/a-profile-result.js'
import { comparisonSample } from '../studies/comparison/comparison-sample.js'
import { madeUpMatrix } from '../studies/matrix/made-up-matrix.js'
import { aQaDocument } from '../studies/qa/a-qa-document.js'
import { skipWithoutBrowser, withPage } from './browser.js'
import { newFolder, QUICK, run, TIMEOUT } from './loadtest.js'

/** @typedef {import('playwright-core').Page} Page */

/** Each width and each theme once: what a page looks like in one has nothing to do with the other. */
const LOOKS = /** @type {const} */ ([
  { width: 360, scheme: 'light' },
  { width: 1400, scheme: 'dark' }
])

/** A page is too wide when it can be scrolled sideways, or when something sticks out of it. Runs in the browser. */
function overflow() {
  const room = document.documentElement.clientWidth
  const outside = [...document.querySelectorAll('main *')].filter(element => {
    if (
      element.closest('.scroll, .contents, svg, .uplot, details:not([open])') &&
      !element.matches('.scroll')
    )
      return false
    const { left, right, width } = element.getBoundingClientRect()
    return width > 0 && (left < -0.5 || right > room + 0.5)
  })
  return {
    scrollable: document.documentElement.scrollWidth - room,
    outside: outside.map(element => `${element.tagName}.${element.className}`)
  }
}

/** What can be seen of each plot that was drawn. Runs in the browser. */
function plots() {
  return [...document.querySelectorAll('.plot:not(.asked)')].map(plot => {
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

/** What can be seen of each plot that a script drew. Runs in the browser. */
function asked() {
  return [...document.querySelectorAll('.plot.asked')].map(plot => {
    const canvas = plot.querySelector('canvas')
    const box = canvas?.getBoundingClientRect()
    return {
      id: plot.id,
      pictures: [...plot.querySelectorAll('svg')].filter(svg => svg.getBoundingClientRect().width > 0).length,
      width: box?.width ?? 0,
      room: plot.getBoundingClientRect().width,
      height: box?.height ?? 0,
      named: plot.querySelector('.live[role=group]')?.getAttribute('aria-label') ?? ''
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

/**
 * @param {string} file
 * @param {object} [how]
 * @param {boolean} [how.script]
 * @param {(page: Page) => Promise<void>} [how.look] - at what else it has
 */
const looksRight = (file, { script = true, look: lookOn } = {}) =>
  withPage(file, { ...LOOKS[0], script }, async (page, { complaints, requests }) => {
    /** @type {string[]} */
    const papers = []
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
      for (const plot of await page.evaluate(asked)) {
        const what = `${plot.id}, ${where}: ${JSON.stringify(plot)}`
        assert.ok(script && plot.pictures === 0 && plot.named.length > 10, what)
        assert.ok(plot.width >= 280 && plot.width <= plot.room && plot.height >= 120, what)
      }
      const { paper, paints } = await page.evaluate(colours)
      papers.push(paper)
      assert.ok(!paints.includes(paper) || paints.length > 2, where)
    }
    assert.notEqual(papers[0], papers[1])
    await lookOn?.(page)
  })

/** The first screen of a phone has the headline, with such a figure. @param {string} named @returns {(page: Page) => Promise<void>} */
const onPhone = named => async page => {
  await page.setViewportSize({ width: 390, height: 844 })
  const figures = page.locator('.tiles > div')
  assert.equal(await figures.count(), 4)
  const box = await figures.filter({ hasText: named }).boundingBox()
  assert.ok(box && box.y + box.height < 844, JSON.stringify(box))
}

/**
 * zoomIn drags over a part of a plot.
 *
 * @param {Page} page
 * @param {import('playwright-core').Locator} plot
 */
async function zoomIn(page, plot) {
  const over = await plot.locator('.u-over').boundingBox()
  assert.ok(over)
  await page.mouse.move(over.x + over.width * 0.2, over.y + 20)
  await page.mouse.down()
  await page.mouse.move(over.x + over.width * 0.5, over.y + 20, { steps: 4 })
  await page.mouse.up()
}

/** Marks that nobody can ask. Runs in the browser. @param {Element[]} blocks */
const unasked = blocks => blocks.filter(block => block.parentElement?.querySelector('.frame.live') === null)

/**
 * Bars, cells and marks of a plot say what they stand for, by keyboard too.
 *
 * @param {string} id
 * @param {RegExp} says
 * @returns {(page: Page) => Promise<void>}
 */
const marksSay = (id, says) => async page => {
  const plot = page.locator(`#${id}`)
  const said = async () => (await plot.locator('.at').textContent()) ?? ''
  await plot.locator('.wide svg').hover()
  assert.match(await said(), says)
  assert.equal(await plot.locator('.wide .pointed').count(), 1)
  const [pointed] = [await said(), await plot.locator('.frame').focus()]
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  assert.notEqual(await said(), pointed)
  assert.deepEqual(await page.locator('.plot > script.marks').evaluateAll(unasked), [])
}

/** A quality report whose grid and first examined run are drawn. */
async function examinedPage() {
  const document = aQaDocument()
  const trials = [...document.grid.cells, document.examined.trials[0]]
  const results = new Map(
    trials.map(({ run, plan, name }) => [
      String(run),
      modelledRun(/** @type {any} */ (plan), name, { capacity: 60 })
    ])
  )
  return qaPage(document, { results, links: new Map(), view: viewOf(document), viewOf })
}

const PHONE = 'the first screen of a phone has the headline, p50 and p99'

describe('pages in a browser', skipWithoutBrowser('pages in a browser'), () => {
  /** @type {Record<string, string>} */
  const files = {}

  before(async () => {
    const folder = await newFolder()
    const { document, results } = madeUpMatrix()
    const unfinished = sampleResult({
      outcome: { operations: {}, measuredMs: 0, server: null },
      result: { status: 'partial', reason: { code: 'UNFINISHED', message: 'the run has not ended yet' } }
    })
    const short = measuredResult({ options: { benchmarkRuns: 50 }, types: ['REGISTER'], perSecond: 50 })
    // the number at the end of its axes, 0.18, has the end beside it
    short.outcome.measuredMs = 181
    const pages = {
      run: await goldenPage(),
      short: await reportPage(short),
      gossip: await goldenGossipPage(),
      unfinished: await reportPage(unfinished),
      matrix: await matrixPage(document, results),
      comparison: await comparisonPage(comparisonSample().comparison, comparisonSample()),
      profile: await reportPage(aProfileResult()),
      abuse: await reportPage(/** @type {any} */ (anAbuseResult())),
      qa: await examinedPage()
    }
    for (const [name, text] of Object.entries(pages)) {
      files[name] = join(folder, `${name}.html`)
      await writeFile(files[name], text)
    }
  }, TIMEOUT)

  for (const [name, named] of /** @type {const} */ ([
    ['run', 'p99'],
    ['gossip', 'p99 of a delivery'],
    ['unfinished', null],
    ['matrix', null],
    ['comparison', 'p99']
  ]))
    test(
      `${name}, with its script: whole, quiet, in both themes, narrow and wide${named === null ? '' : `; ${PHONE}`}`,
      TIMEOUT,
      () => looksRight(files[name], named === null ? {} : { look: onPhone(named) })
    )

  // what its script draws anew stands there as it was drawn before
  for (const name of ['run', 'short'])
    test(`${name}, without its script: whole, quiet, in both themes, narrow and wide`, TIMEOUT, () =>
      looksRight(files[name], { script: false })
    )

  test(`abuse: ${PHONE}`, TIMEOUT, () =>
    withPage(files.abuse, { width: 390, scheme: 'light' }, onPhone('p99 of honest clients'))
  )

  const WIDE = /** @type {const} */ ({ width: 1400, scheme: 'light' })

  /** What a page does is told of one that is opened once. @param {string} name @param {Record<string, (page: Page) => Promise<void>>} parts */
  const does = (name, parts) =>
    test(`${name}, wide`, TIMEOUT, t =>
      withPage(files[name], WIDE, async page => {
        for (const [what, look] of Object.entries(parts)) await t.test(what, () => look(page))
      })
    )

  does('run', {
    'a plot says the values that are pointed at, by keyboard too, zooms, and hides series': async page => {
      const plot = page.locator('#throughput')
      const shown = plot.locator('.legend.live')
      await plot.locator('.u-over').hover()
      assert.match(
        (await shown.textContent()) ?? '',
        /REGISTER \d.*due, of all types 120.*measurement began, s: \d/
      )
      const whole = plot.getByRole('button', { name: 'Show all of it' })
      assert.equal(await whole.isVisible(), false)
      await zoomIn(page, plot)
      await whole.click()
      assert.equal(await whole.isVisible(), false)
      const series = plot.getByRole('button', { name: 'DISCOVER' })
      await series.click()
      assert.equal(await series.getAttribute('aria-pressed'), 'false')
      const curve = page.locator('#percentiles')
      await curve.locator('.live[role=group]').focus()
      for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight')
      assert.match((await curve.locator('.at').textContent()) ?? '', /took no longer, %: \d/)
    },

    'bars say what they stand for, by keyboard too': marksSay(
      'times-register',
      /began, s: \d+ to \d+ · Response time, ms: [\d.]+ to [\d.]+ · operations: \d/
    ),

    'a table is sorted by a column: up, down, and as it was': async page => {
      const table = page.getByRole('region', { name: 'Outcomes' })
      const column = () =>
        table.locator('tbody tr').evaluateAll(rows => rows.map(row => row.children[2].textContent))
      const asMade = await column()
      const heading = table.getByRole('button', { name: 'Count' })
      await heading.click()
      assert.deepEqual(await column(), ['10', '10', '350', '350'])
      await heading.click()
      assert.deepEqual(await column(), ['350', '350', '10', '10'])
      await heading.click()
      assert.deepEqual(await column(), asMade)
    },

    'tables, plots and commands can be taken away': async page => {
      const saved = async (/** @type {import('playwright-core').Locator} */ within) => {
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          within.getByRole('button', { name: 'CSV' }).click()
        ])
        return [download.suggestedFilename(), await readFile(await download.path(), 'utf8')]
      }
      const [name, table] = await saved(page.locator('#figures'))
      assert.equal(name, 'figures.csv')
      assert.match(table, /^Operation,Mode,Clients,.*\nREGISTER,refresh,4,.*\nDISCOVER,–,4,.*\n$/)
      const [, plot] = await saved(page.locator('#server-cpu'))
      assert.match(plot, /^"Time since the measurement began, s",samples,average\n/)
      const copy = page.locator('#plan').getByRole('button', { name: 'Copy' }).first()
      await copy.click()
      await page.waitForFunction(() => document.querySelector('#plan .tools')?.textContent === 'Copied')
    },

    'contents stay in view, and say what is read': async page => {
      await page.locator('.contents a', { hasText: 'Repeat it' }).click()
      await page.waitForFunction(
        () => document.querySelector('.contents [aria-current]')?.textContent === 'Repeat it'
      )
      const box = await page.locator('.contents').boundingBox()
      assert.equal(box?.y, 0)
    }
  })

  does('gossip', {
    'an area says both its edges, and is hidden and zoomed as lines are': async page => {
      const plot = page.locator('#mesh-degree')
      await plot.locator('.u-over').hover()
      const shown = plot.locator('.legend.live')
      assert.match((await shown.textContent()) ?? '', /fewest to most \d+ to \d+\s*average [\d.]+/)
      const area = plot.getByRole('button', { name: 'fewest to most' })
      await area.click()
      assert.equal(await area.getAttribute('aria-pressed'), 'false')
      await zoomIn(page, plot)
      assert.ok(await plot.getByRole('button', { name: 'Show all of it' }).isVisible())
    },

    'bars say what they stand for, by keyboard too': marksSay(
      'dissemination',
      /Dissemination time, ms, from: [\d.]+ · to: [\d.]+ · Messages: \d/
    ),

    'nodes say which they are, by keyboard too': marksSay('network', /Node: \d+ · connections: \d/)
  })

  does('matrix', {
    'cells say what they stand for, by keyboard too': marksSay(
      'rendezvous-register-cpu-clients',
      /Clients: \d+ · Initial registrations: [\d,]+ · CPU, % of one core: \d/
    ),

    'a wide table scrolls in its own box on a narrow page, by keyboard too': async page => {
      await page.setViewportSize({ width: 360, height: 900 })
      const box = page.locator('.scroll').first()
      await box.focus()
      await page.keyboard.press('End')
      for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowRight')
      await page.waitForFunction(() => (document.querySelector('.scroll')?.scrollLeft ?? 0) > 0)
      assert.equal(await page.evaluate(() => window.scrollX), 0)
    }
  })

  does('comparison', {
    'curves and pairs of runs say what they stand for, by keyboard too': async page => {
      for (const [id, says] of /** @type {const} */ ([
        ['times-by-percentile', /A plan\.yaml [\d.]+.*B --inFlight 8 [\d.]+.*took no longer, %: \d/],
        ['pairs-B-throughput', /a pair of runs [−-][\d.]+.*in the order of time: \d/]
      ])) {
        const plot = page.locator(`#${id}`)
        await plot.locator('.live[role=group]').focus()
        for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowRight')
        assert.match((await plot.locator('.legend.live').textContent()) ?? '', says)
      }
    }
  })

  does('profile', {
    'a flame graph is drawn for the width there is': async page => {
      for (const [width, shown] of /** @type {const} */ ([
        [360, 'narrow'],
        [800, 'middle'],
        [1400, 'wide']
      ])) {
        await page.setViewportSize({ width, height: 900 })
        const graph = page.locator(`#flame-graph .${shown} svg`)
        assert.ok(await graph.isVisible(), `${shown} at ${width} px`)
        assert.equal(await page.locator('#flame-graph .frame svg:visible').count(), 1)
        const titles = (await graph.locator('g title').allTextContents()).join('\n')
        assert.match(titles, /verifyOneShot · node:crypto · signature · /)
      }
    },

    'a flame graph is searched, and zoomed': async page => {
      const figure = page.locator('.plot.flame')
      await figure.getByRole('searchbox').fill('verifyOneShot')
      assert.match((await figure.locator('output').textContent()) ?? '', /^[1-9][\d.]* % of it/)
      const frame = figure.locator('.wide g', { hasText: 'verifyOneShot' }).first()
      const width = () => frame.locator('rect').evaluate(rect => rect.getBoundingClientRect().width)
      const whole = await width()
      await frame.click()
      assert.ok((await width()) > whole)
      await figure.getByRole('button', { name: 'Show all of it' }).click()
      assert.ok(Math.abs((await width()) - whole) < 1)
    }
  })

  test('qa: quiet, with its cells and what was examined', TIMEOUT, () =>
    withPage(files.qa, WIDE, async (page, { complaints, requests }) => {
      assert.deepEqual([complaints, requests], [[], []])
      assert.equal(await page.locator('#latency figure').count(), 2)
      assert.equal(await page.locator('#latency-throughput').count(), 1)
      assert.ok((await page.locator('#examined figure').count()) >= 3)
    })
  )

  test('that of a run is in its folder when the run has ended', TIMEOUT, async () => {
    const { code, folder, result } = await run([
      ...QUICK,
      '--benchmarkRuns',
      '50',
      '--initialRegistrations',
      '10'
    ])
    assert.equal(code, 0)
    await looksRight(join(folder, 'report.html'), {
      async look(page) {
        assert.equal(await page.locator('h1').textContent(), `rendezvous · ${result.id}`)
        assert.match(
          (await page.locator('.lead p').first().textContent()) ?? '',
          /The server answered 50 REGISTER at/
        )
        assert.ok((await page.locator('.plot').count()) >= 3)
      }
    })
  })
})
