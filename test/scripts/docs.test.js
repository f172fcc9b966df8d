import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { withFigures } from '../../scripts/parts/doc-figures.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const RESULTS = join(ROOT, 'results')
const MAX_BYTES = 20e6

/** @param {string} path */
const read = path => readFileSync(join(ROOT, path), 'utf8')

const DOCS = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter(name => name.endsWith('.md'))
    .map(name => `docs/${name}`)
]

describe('README and docs', () => {
  test('have the tables of committed results that npm run docs writes', () => {
    for (const doc of DOCS) {
      const text = read(doc)
      assert.equal(withFigures(text, RESULTS), text, doc)
    }
  })

  test('link to files that are there', () => {
    const missing = DOCS.flatMap(doc =>
      [...read(doc).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].flatMap(([, link]) =>
        existsSync(join(ROOT, dirname(doc), link)) ? [] : [`${doc}: ${link}`]
      )
    )
    assert.deepEqual(missing, [])
  })
})

describe('committed results', () => {
  const files = readdirSync(join(RESULTS, 'reference'), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))

  test('are small enough to be cloned: node scripts/lean-reference.js', () => {
    const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0)
    assert.ok(bytes <= MAX_BYTES, `${(bytes / 1e6).toFixed(1)} MB`)
  })

  test('name no folder of the machine that made them', () =>
    assert.deepEqual(
      files.filter(file => /\/(?:tmp|home|root)\//.test(readFileSync(file, 'utf8'))),
      []
    ))
})
