import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { EVIDENCE, SAME_CELLS, SAME_ROWS, WITHOUT_FIGURES } from './evidence.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const REFERENCE = join(ROOT, 'results/reference')
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

/** @param {string} text @param {string} heading */
function tableUnder(text, heading) {
  const lines = text.split('\n')
  const first = lines.findIndex(line => flat(line).startsWith(heading))
  assert.ok(first >= 0, `no table ${heading}`)
  const cells = (/** @type {string} */ line) =>
    line
      .trim()
      .replace(/^\||\|$/g, '')
      .split('|')
      .map(cell => cell.trim())
  const rows = []
  for (let i = first + 2; lines[i]?.trim().startsWith('|'); i++) rows.push(cells(lines[i]))
  return { headings: cells(lines[first]), rows }
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

  for (const { doc, heading, file } of SAME_ROWS)
    test(`${doc}: the rows of ${file}`, () => {
      const { rows } = tableUnder(read(join(ROOT, doc)), heading)
      const kept = tableUnder(read(join(REFERENCE, file)), heading).rows.map(row => row.join(' | '))
      assert.ok(rows.length > 0)
      for (const row of rows) assert.ok(kept.includes(row.join(' | ')), row.join(' | '))
    })

  for (const { doc, heading, file, under, keys, where } of SAME_CELLS)
    test(`${doc}: the cells of ${file}`, () => {
      const shown = tableUnder(read(join(ROOT, doc)), heading)
      const kept = tableUnder(read(join(REFERENCE, file)), under)
      const cell = (
        /** @type {typeof kept} */ { headings },
        /** @type {string[]} */ row,
        /** @type {string} */ name
      ) => {
        assert.ok(headings.includes(name), name)
        return row[headings.indexOf(name)]
      }
      for (const row of shown.rows) {
        const same = kept.rows.filter(
          other =>
            keys.every(key => cell(kept, other, key) === cell(shown, row, key)) &&
            Object.entries(where).every(([key, value]) => cell(kept, other, key) === value)
        )
        assert.equal(same.length, 1, row.join(' | '))
        for (const name of shown.headings)
          assert.equal(cell(shown, row, name), cell(kept, same[0], name), `${name}: ${row.join(' | ')}`)
      }
    })

  test('every committed result that docs link to is there, and is held, or said to have no figure in them', () => {
    const held = new Set(
      [
        ...EVIDENCE.flatMap(({ stands }) => stands.map(([file]) => file)),
        ...[...SAME_ROWS, ...SAME_CELLS].map(({ file }) => file)
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
