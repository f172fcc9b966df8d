import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CATEGORIES } from '../../../../src/scenarios/profile/measure/category.js'
import { flameGraph, flameLegend } from '../../../../src/scenarios/profile/view/flame-graph.js'

/** @typedef {import('../../../../src/scenarios/profile/measure/folded.js').FoldedCall} FoldedCall */

const TEXTS = { id: 'flame', title: 'Flame graph', description: 'What the time was spent on' }

/** @param {string} name @param {number} selfMs @param {Partial<FoldedCall>} [more] @returns {FoldedCall} */
const call = (name, selfMs, { children = [], ...more } = {}) => ({
  name,
  package: 'libp2p',
  category: 'libp2p',
  selfMs,
  totalMs: children.reduce((sum, { totalMs }) => sum + totalMs, selfMs),
  children,
  ...more
})

const TREE = call('(root)', 0, {
  package: '(root)',
  category: 'other',
  children: [
    call('receive', 20, {
      package: '@libp2p/gossipsub',
      category: 'gossipsub',
      children: [call('verifyOneShot', 60, { package: 'node:crypto', category: 'signature' })]
    }),
    call('(garbage collector)', 20, { package: '(garbage collector)', category: 'gc' })
  ]
})

/** @param {string} svg @returns {Record<string, number>[]} */
const rects = svg =>
  [...svg.matchAll(/<rect ([^>]*)\/>/g)].map(([, attributes]) =>
    Object.fromEntries(
      [...attributes.matchAll(/(\w+)="([\d.]+)"/g)].map(([, name, value]) => [name, Number(value)])
    )
  )

/** @param {string} svg */
const labels = svg => [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text]) => text)

/** @param {string} svg */
const tooltips = svg => [...svg.matchAll(/<g><title>([^<]*)<\/title>/g)].map(([, text]) => text)

/** Relative luminance, WCAG 2.1. @param {string} colour #rrggbb */
function luminance(colour) {
  const [r, g, b] = [1, 3, 5].map(i => {
    const part = Number.parseInt(colour.slice(i, i + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

describe('a flame graph', () => {
  it('has a box for each call, as wide as its share, beneath its caller', () => {
    const [root, receive, verify, gc] = rects(flameGraph(TREE, { ...TEXTS, width: 1000 }))
    assert.deepEqual(
      [root, receive, verify, gc].map(({ x, y, width }) => [x, y, Math.round(width)]),
      [
        [0, 0, 1000],
        [0, root.height + 1, 800],
        [0, 2 * (root.height + 1), 600],
        [800, root.height + 1, 200]
      ]
    )
  })

  it('names a call with its package, category, times and shares where it is pointed at', () => {
    assert.deepEqual(tooltips(flameGraph(TREE, TEXTS)).slice(1), [
      'receive · @libp2p/gossipsub · gossipsub · 80.0 ms (80.0 %), itself 20.0 ms (20.0 %)',
      'verifyOneShot · node:crypto · signature · 60.0 ms (60.0 %), itself 60.0 ms (60.0 %)',
      '(garbage collector) · gc · 20.0 ms (20.0 %), itself 20.0 ms (20.0 %)'
    ])
  })

  it('cuts names to the room there is, and leaves them out where there is none', () => {
    const narrow = call('(root)', 0, {
      children: [call('handleReceivedRpc', 80), call('dispatchEvent', 17), call('writeBuffer', 3)]
    })
    assert.deepEqual(labels(flameGraph(narrow, { ...TEXTS, width: 300 })), [
      '(root)',
      'handleReceivedRpc',
      'dispa…'
    ])
  })

  it('keeps within its picture', () => {
    const svg = flameGraph(TREE, { ...TEXTS, width: 640 })
    const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg)?.map(Number) ?? []
    assert.equal(width, 640)
    for (const rect of rects(svg)) {
      assert.ok(rect.x + rect.width <= width && rect.y + rect.height <= height, JSON.stringify(rect))
    }
  })

  it('takes names as text, whatever is in them', () => {
    const svg = flameGraph(call('<script>alert("1")</script>', 5, { package: 'a&b' }), {
      ...TEXTS,
      title: '<b>'
    })
    assert.ok(!/<script|<b>/.test(svg))
    assert.match(svg, /&lt;script&gt;alert\(&quot;1&quot;\)&lt;\/script&gt; · a&amp;b/)
  })

  it('has no script, and says what it is to who cannot see it', () => {
    const svg = flameGraph(TREE, TEXTS)
    assert.ok(!/<script|\son\w+=|href/.test(svg))
    assert.match(svg, /role="img" aria-labelledby="flame-t flame-d"/)
    assert.match(
      svg,
      /<title id="flame-t">Flame graph<\/title><desc id="flame-d">What the time was spent on<\/desc>/
    )
  })

  it('is the same every time', () => {
    assert.equal(flameGraph(structuredClone(TREE), TEXTS), flameGraph(TREE, TEXTS))
  })

  it('is none when no time was sampled', () => {
    assert.equal(flameGraph(call('(root)', 0), TEXTS), '')
  })

  it('leaves out what is too narrow to be seen', () => {
    const tree = call('(root)', 0, { children: [call('long', 1e6), call('short', 1)] })
    assert.deepEqual(
      tooltips(flameGraph(tree, TEXTS)).map(text => text.split(' ')[0]),
      ['(root)', 'long']
    )
  })
})

describe('its legend', () => {
  it('has the categories that are in it, in a fixed order, with the colours of the boxes', () => {
    const legend = flameLegend(TREE)
    assert.deepEqual(
      legend.map(({ category }) => category),
      ['signature', 'gossipsub', 'gc']
    )
    const svg = flameGraph(TREE, TEXTS)
    for (const { colour } of legend) assert.ok(svg.includes(`fill="${colour}"`), colour)
  })

  it('has a colour of its own for each category, on which letters are readable', () => {
    const tree = call('(root)', 0, { children: CATEGORIES.map(category => call('f', 1, { category })) })
    const [, ink] = /fill="var\(--flame-ink, (#\w{6})\)"/.exec(flameGraph(tree, TEXTS)) ?? []
    const colours = flameLegend(tree).map(
      ({ colour }) => /^var\(--flame-[a-z0-9-]+, (#\w{6})\)$/.exec(colour)?.[1] ?? ''
    )
    assert.equal(new Set(colours).size, CATEGORIES.length)
    for (const colour of colours) {
      const contrast = (luminance(colour) + 0.05) / (luminance(ink) + 0.05)
      assert.ok(contrast >= 7, `${colour}: ${contrast.toFixed(1)}:1`)
    }
  })
})
