import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { anchorOf, withFigures } from '../../scripts/parts/doc-figures.js'

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

/** Other documents that link to files. */
const MORE = ['CHANGELOG.md', 'bench/upstream/README.md', 'results/reference/README.md']

const MAX_WORDS = {
  'README.md': 1300,
  'CONTRIBUTING.md': 900,
  'docs/architecture.md': 1450,
  'docs/findings.md': 1500
}

/** @param {string} text */
const countWords = text => text.split(/\s+/).filter(word => word !== '').length

/** @param {readonly number[]} numbers */
const sum = numbers => numbers.reduce((total, number) => total + number, 0)

/** @param {string} folder @returns {string[]} paths from the root */
const listFiles = folder =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(ROOT.length))

/** @param {string} markdown @returns {string[]} */
const anchorsIn = markdown =>
  [...markdown.replace(/^```.*?^```$/gms, '').matchAll(/^#+ .+$/gm)].map(([heading]) => anchorOf(heading))

/** @param {string} path @param {string} [heading] - its anchor */
const exists = (path, heading) =>
  existsSync(join(ROOT, path)) &&
  (heading === undefined || anchorsIn(read(normalize(path))).includes(heading))

describe('README and docs', () => {
  test('have the tables of committed results that npm run docs writes', () => {
    for (const doc of DOCS) {
      const text = read(doc)
      assert.equal(withFigures(text, RESULTS), text, doc)
    }
  })

  test('link to files and headings that exist', () => {
    const missing = [...DOCS, ...MORE].flatMap(doc =>
      [...read(doc).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].flatMap(([, path, heading]) =>
        exists(path === '' ? doc : join(dirname(doc), path), heading)
          ? []
          : [`${doc}: ${path}#${heading ?? ''}`]
      )
    )
    assert.deepEqual(missing, [])
  })

  test('name files of this repository that exist', () => {
    const missing = DOCS.flatMap(doc =>
      [...read(doc).matchAll(/`((?:src|test|scripts|bench|benchmarks|deploy|fixtures)\/[\w./-]+)`/g)].flatMap(
        ([, path]) => (existsSync(join(ROOT, path)) ? [] : [`${doc}: ${path}`])
      )
    )
    assert.deepEqual(missing, [])
  })

  test('name the interface of each folder of src by files at its top', () => {
    const rows = [...read('docs/architecture.md').matchAll(/^\| `(src\/\w+)` \|[^|]*\|([^|]*)\|$/gm)]
    const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter(entry =>
      entry.isDirectory()
    )
    assert.deepEqual(rows.map(([, folder]) => folder).sort(), folders.map(({ name }) => `src/${name}`).sort())
    const missing = rows.flatMap(([, folder, files]) =>
      [...files.replace(/; .*/, '').matchAll(/`([\w-]+\.js)`/g)].flatMap(([, file]) =>
        existsSync(join(ROOT, folder, file)) ? [] : [`${folder}/${file}`]
      )
    )
    assert.deepEqual(missing, [])
  })

  test('are short enough to be read', () => {
    const words = DOCS.filter(doc => doc.startsWith('docs/')).map(doc => countWords(read(doc)))
    assert.ok(words.length <= 20, `${words.length} files`)
    assert.ok(sum(words) <= 22_000, `${sum(words)} words in docs`)
    for (const [doc, most] of Object.entries(MAX_WORDS))
      assert.ok(countWords(read(doc)) <= most, `${doc}: ${countWords(read(doc))} words, at most ${most}`)
  })
})

test('sources and files for users name pages and headings that exist', () => {
  const missing = ['src', 'bench', 'scripts', 'deploy', 'benchmarks'].flatMap(folder =>
    listFiles(folder).flatMap(file =>
      [...read(file).matchAll(/\b(docs\/[\w-]+\.md)(?:#([\w-]+))?/g)].flatMap(([named, path, heading]) =>
        exists(path, heading) ? [] : [`${file}: ${named}`]
      )
    )
  )
  assert.deepEqual(missing, [])
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
