import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { loadRenderer } from '../../../src/kit/plots/render.js'

const SPEC = Object.freeze({
  data: { values: [{ a: 1 / 3, b: 'x' }] },
  mark: 'bar',
  encoding: { x: { field: 'a', type: 'quantitative' }, y: { field: 'b', type: 'nominal' } }
})
const LOOK = { width: 200, height: 100 }

describe('a plot', () => {
  test('becomes an SVG, without what only a script or a browser of old would use', async () => {
    const svg = await (await loadRenderer())(/** @type {any} */ (SPEC), LOOK)
    assert.match(svg, /^<svg /)
    assert.doesNotMatch(svg, /aria-|role=|\.\d{3}/)
  })

  test('that says something which has no use is a mistake of ours, and none is made', async () => {
    const render = await loadRenderer()
    const spec = { ...SPEC, encoding: { ...SPEC.encoding, nonsense: { field: 'a', type: 'quantitative' } } }
    await assert.rejects(render(/** @type {any} */ (spec), LOOK), /^Error: plot: .*nonsense/)
  })
})
