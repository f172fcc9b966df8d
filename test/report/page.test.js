import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { parse } from 'acorn'
import { STYLE } from '../../src/report/page/style.js'
import { writeDashboardPage, writeDescriptionPage } from '../../src/report/page.js'
import { descriptionSchema } from '../../src/report/schema.js'
import { sampleDescription } from './sample-description.js'

const HEAD = {
  id: '20261128-0825-rendezvous-1',
  when: '2026-11-28 08:25 UTC · took 18.2 s',
  statements: [{ tone: /** @type {const} */ ('bad'), text: '1 of 2 thresholds failed' }],
  command: 'node index.js rerun results/1',
  links: new Map([['REGISTER', '../1/report.html']]),
  files: ['result.json'],
  version: '0.2.0'
}
const HOSTILE = '</script><script>alert(1)</script><img src=x onerror=alert(2)>"\''

/** @param {string} page */
const scriptsOf = page => [...page.matchAll(/<script( type="module")?>([\s\S]*?)<\/script>/g)]

/** A page without its own scripts and style. @param {string} page */
const readOf = page =>
  page.replace(/<script(?: type="module")?>[\s\S]*?<\/script>\n|<style>[\s\S]*?<\/style>/g, '')

/** A value with hostile text in place of each text but those that are checked. @param {any} value @param {string} [key] @returns {any} */
function hostile(value, key = '') {
  if (Array.isArray(value)) return value.map(each => hostile(each))
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([name, own]) => [name, hostile(own, name)]))
  if (
    typeof value !== 'string' ||
    ['id', 'kind', 'style'].includes(key) ||
    ['text', 'count', 'ms', 's', 'percent', 'MB', 'perSecond', 'wide'].includes(value)
  )
    return value
  return HOSTILE
}

describe('page of a description', () => {
  const page = writeDescriptionPage(sampleDescription, { head: HEAD })

  test('the sample is a description, with each kind of plot', () => {
    descriptionSchema.parse(sampleDescription)
    assert.equal(new Set(sampleDescription.plots.map(({ kind }) => kind)).size, 6)
  })

  test('tables and first screen are read without a script', () => {
    for (const text of [
      ...[
        '<h1>rendezvous</h1>',
        'took 18.2 s',
        '29,480 REGISTER',
        '<dd>2,948/s</dd>',
        '<dd>&gt; 4.87\u00a0ms</dd>',
        '<dd>29,480</dd>'
      ],
      ...[
        '1 of 2 thresholds failed',
        '18 of 29,480 REGISTER failed',
        '<code>--warmup</code>',
        'node index.js rerun results/1'
      ],
      ...[
        '<th scope="row" class=""><a href="../1/report.html">REGISTER</a></th>',
        '<td class="r">&gt; 10,000</td>',
        '<td class="r">–</td>',
        '<summary>30 rows</summary>'
      ]
    ])
      assert.ok(page.includes(text), text)
    for (const id of ['none', 'empty'])
      assert.ok(!page.includes(`id="${id}"`), 'what has no values is left out')
  })

  test('each table and plot is there once and in the contents, but for the plot of the first screen', () => {
    for (const { id } of [
      ...sampleDescription.tables.filter(({ rows }) => rows.length > 0),
      ...sampleDescription.plots.filter(({ id }) => id !== 'empty')
    ]) {
      assert.equal(page.split(` id="${id}"`).length, 2, id)
      assert.equal(page.includes(`href="#${id}"`), id !== 'percentiles', id)
    }
  })

  test('it is one small file that loads nothing and runs its own scripts only', () => {
    assert.ok(page.length < 200_000, `${page.length}`)
    assert.doesNotMatch(
      readOf(page),
      /<link(?! rel="icon" href="data:,")|<img|<iframe|@import|url\(|\son\w+=|https?:/
    )
    assert.match(
      page,
      /content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-[^;]*"/
    )
  })

  for (const [name, text] of [
    ['report', page],
    ['dashboard', writeDashboardPage()]
  ])
    test(`${name}: scripts have their hashes in the policy, and no name twice`, () => {
      const scripts = scriptsOf(text)
      assert.equal(scripts.length, 2)
      for (const [, kind, script] of scripts) {
        assert.ok(text.includes(`'sha256-${createHash('sha256').update(script).digest('base64')}'`))
        parse(script, { ecmaVersion: 'latest', sourceType: kind === undefined ? 'script' : 'module' })
      }
      assert.equal(text.includes("connect-src 'self'"), name === 'dashboard')
    })

  test('text of a result never becomes part of the page', () => {
    const made = writeDescriptionPage(descriptionSchema.parse(hostile(sampleDescription)), {
      head: {
        ...HEAD,
        when: HOSTILE,
        id: HOSTILE,
        command: HOSTILE,
        files: [HOSTILE],
        statements: [{ tone: 'bad', text: HOSTILE }]
      }
    })
    assert.equal(made.match(/<script/g)?.length, 3)
    assert.doesNotMatch(readOf(made), /<img|<script>/)
    const [, data] = /<script type="application\/json" id="_data">(.*)<\/script>\n/.exec(made) ?? []
    assert.equal(JSON.parse(data).plots[0].title, HOSTILE)
  })

  test('a description of nothing is a page too', () => {
    const made = writeDescriptionPage({
      title: 'gossip',
      headline: 'Nothing was measured.',
      tiles: [],
      tables: [],
      plots: [],
      warnings: []
    })
    assert.doesNotMatch(readOf(made), /undefined|NaN|\[object/)
  })
})

describe('colours', () => {
  const themes = [...String(STYLE).matchAll(/--paper:[\s\S]*?;\s*\}/g)].map(([block]) =>
    Object.fromEntries([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)].map(([, name, hex]) => [name, hex]))
  )
  /** Relative luminance, WCAG 2.2. @param {string} hex */
  const luminance = hex =>
    [1, 3, 5]
      .map(at => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
      .map(c => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
      .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0)
  /** @param {string} a @param {string} b */
  const contrast = (a, b) => {
    const [less, more] = [luminance(a), luminance(b)].sort((x, y) => x - y)
    return (more + 0.05) / (less + 0.05)
  }

  test('texts can be read and lines stand out, in both themes', () => {
    for (const theme of themes.slice(0, 2)) {
      for (const ink of ['ink', 'quiet', 'link', 'good', 'mind', 'failed'])
        assert.ok(contrast(theme[ink], theme.paper) >= 4.5, ink)
      for (const tone of ['good', 'mind', 'failed'])
        assert.ok(contrast(theme[tone], theme[`${tone}-wash`]) >= 4.5, tone)
      for (const series of [1, 2, 3, 4, 5, 6].map(n => `series-${n}`))
        assert.ok(contrast(theme[series], theme.paper) >= 3, series)
      const inks = ['low', 'low', 'low', 'middle', 'high', 'high']
      for (const [i, on] of inks.entries())
        assert.ok(contrast(theme[`heat-${i + 1}`], theme[`on-${on}`]) >= 4.5, `heat-${i + 1}`)
    }
    assert.deepEqual(Object.keys(themes[0]), Object.keys(themes[1]))
  })
})
