import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { figureList, withFigureList } from '../../scripts/parts/figure-list.js'
import { ALL } from '../scenarios.js'

const text = readFileSync(new URL('../../docs/metrics.md', import.meta.url), 'utf8')

test('the list of figures in docs/metrics.md is that of their rows: npm run docs renews it', () =>
  assert.equal(withFigureList(text, ALL), text))

test('a figure that is added to a scenario changes it, one of another scenario before it does not', () => {
  const [{ figures }] = ALL
  const added = { ...figures[0], name: 'foo', title: 'Foo' }
  const [one, other] = [
    { ...ALL[0], figures: [added] },
    { ...ALL[1], compared: null, figures: [added] }
  ]
  assert.match(figureList([one]), /^\| `foo` +\| Foo +\| op\/s \| higher \| ✔ /m)
  assert.equal(figureList([one, other]), figureList([one]))
})
