import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { namedIn, withFigures } from '../../scripts/parts/doc-figures.js'
import { EVIDENCE, WITHOUT_FIGURES } from './evidence.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const RESULTS = join(ROOT, 'results')
const REFERENCE = join(RESULTS, 'reference')
const MOST_BYTES = 20e6

/** Text on one line, so that columns and lines may be of any width. @param {string} text */
const flat = text => text.replace(/[-:]{4,}/g, '----').replace(/\s+/g, ' ')

/** @param {string} path */
const read = path => readFileSync(path, 'utf8')

/** JSON as it is when it is indented, whatever it was kept as. @param {string} file */
function readKept(file) {
  const text = read(join(REFERENCE, file))
  return flat(file.endsWith('.json') ? JSON.stringify(JSON.parse(text), null, 1) : text)
}

const FIGURE = '([−-]?[\\d,]*\\.?\\d+)'

/** @param {string} template */
const pattern = template =>
  new RegExp(
    flat(template)
      .replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
      .replaceAll('\\{thousand\\}', `${FIGURE}`)
      .replaceAll('\\{\\}', `\\*?${FIGURE}[*?m]*`)
      .replaceAll(' … ', template.includes('|') ? '[^|]*?' : ' .*? ')
      .replaceAll('…', '[^|]*?')
  )

/** @param {string} written */
const numberOf = written => Number(written.replaceAll(',', '').replace('−', '-'))

/** Half of a unit in the last place of a figure as it is written. @param {string} written */
const halfUnit = written => 0.5 * 10 ** -(written.split('.')[1]?.length ?? 0)

/** @param {string} file @param {string} shows */
function figuresIn(file, shows) {
  const found = pattern(shows).exec(readKept(file))
  assert.ok(found, `${file} does not show: ${shows}`)
  return found.slice(1).map(text => numberOf(text) / (shows.includes('{thousand}') ? 1000 : 1))
}

const DOCS = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter(name => name.endsWith('.md'))
    .map(name => `docs/${name}`)
]
const LINKED = DOCS.flatMap(doc =>
  [...read(join(ROOT, doc)).matchAll(/\]\((?:\.\.\/)?results\/reference\/([^)#]+)/g)].map(([, file]) => ({
    doc,
    file
  }))
)

describe('figures of README and docs stand in committed results', () => {
  for (const { doc, says, stands } of EVIDENCE)
    test(`${doc}: ${says}`, () => {
      const found = pattern(says).exec(flat(read(join(ROOT, doc))))
      assert.ok(found, `${doc} does not say it any more: change test/docs/evidence.js with it`)
      const written = found.slice(1)
      const kept = stands.flatMap(([file, shows]) => figuresIn(file, shows))
      assert.equal(written.length, kept.length)
      for (const [i, figure] of written.entries())
        assert.ok(
          Math.abs(numberOf(figure) - kept[i]) <= halfUnit(figure) * 1.001,
          `${doc} says ${figure} where ${kept[i]} stands: ${says}`
        )
    })

  test('tables of committed results are those that npm run docs writes', () => {
    for (const doc of DOCS) {
      const text = read(join(ROOT, doc))
      assert.equal(withFigures(text, RESULTS), text, doc)
    }
  })

  test('every committed result that docs link to is there, and is held, or said to have no figure in them', () => {
    const held = new Set(
      [
        ...EVIDENCE.flatMap(({ stands }) => stands.map(([file]) => file)),
        ...DOCS.flatMap(doc => namedIn(read(join(ROOT, doc)))).map(path => path.replace(/^reference\//, ''))
      ].map(file => file.split('/')[0])
    )
    for (const { doc, file } of LINKED) {
      assert.ok(existsSync(join(REFERENCE, file)), `${doc}: ${file}`)
      const [name] = file.split('/')
      assert.ok(
        held.has(name) || WITHOUT_FIGURES.has(name),
        `${doc}: ${file}: a row in test/docs/evidence.js`
      )
    }
    for (const name of WITHOUT_FIGURES.keys())
      assert.ok(
        LINKED.some(({ file }) => file.split('/')[0] === name),
        `${name} is linked to no more`
      )
  })
})

test('what is committed of results is small enough to be cloned: node scripts/lean-reference.js', () => {
  const files = readdirSync(REFERENCE, { recursive: true, withFileTypes: true }).filter(entry =>
    entry.isFile()
  )
  const bytes = files.reduce(
    (sum, { parentPath, name }) => sum + readFileSync(join(parentPath, name)).length,
    0
  )
  assert.ok(bytes <= MOST_BYTES, `${(bytes / 1e6).toFixed(1)} MB`)
})

test('no committed result names a folder of the machine that made it', () => {
  const files = readdirSync(REFERENCE, { recursive: true, withFileTypes: true }).filter(entry =>
    entry.isFile()
  )
  const naming = files
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter(file => /\/(?:tmp|home|root)\//.test(read(file)))
  assert.deepEqual(naming, [])
})
