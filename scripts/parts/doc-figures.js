import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatMarkdownTable } from '../../src/kit/text-layout.js'

const BLOCK = /<!-- figures: (\S+) (\|[^;\n]*?)(?:; ([^\n]*?))? -->\n[\s\S]*?<!-- \/figures -->/g

/** @param {string} line - of a table in markdown */
const cellsOf = line =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map(cell => cell.trim())

/**
 * @param {string} text
 * @param {string} begins - its first headings, as `| Nodes | Topology`
 * @param {string[] | null} columns - that are shown; null: all
 */
function tableIn(text, begins, columns) {
  const lines = text.split('\n')
  const wanted = cellsOf(begins)
  const first = lines.findIndex(
    line => line.startsWith('|') && wanted.every((heading, i) => cellsOf(line)[i] === heading)
  )
  if (first < 0) throw new Error(`there is no table ${begins}`)
  const [headings, sides] = [cellsOf(lines[first]), cellsOf(lines[first + 1])]
  const rows = []
  for (let i = first + 2; lines[i]?.startsWith('|'); i++) rows.push(cellsOf(lines[i]))
  const places = (columns ?? headings).map(name => {
    const place = headings.indexOf(name)
    if (place < 0) throw new Error(`there is no column ${name} in its table ${begins}`)
    return place
  })
  const pick = (/** @type {string[]} */ cells) => places.map(place => cells[place])
  return formatMarkdownTable({
    headings: pick(headings),
    align: pick(sides).map(side => (side.endsWith(':') ? 'r' : 'l')),
    rows: rows.map(pick)
  })
}

/**
 * withFigures fills the blocks of a text with tables of committed results. A block is
 *
 *     <!-- figures: <result> | <first headings> | …; <columns>; … -->
 *     <!-- /figures -->
 *
 * where the result is a file with tables in markdown, and without columns all of them are shown.
 *
 * @param {string} text
 * @param {string} results - folder that results are named from
 * @throws {Error} for a result, table or column that is not there
 */
export const withFigures = (text, results) =>
  text.replace(BLOCK, (whole, path, begins, columns) => {
    try {
      const shown = readFileSync(join(results, path), 'utf8')
      const table = tableIn(shown, begins, columns === undefined ? null : columns.split('; '))
      return `${whole.slice(0, whole.indexOf('\n'))}\n\n${table}\n\n<!-- /figures -->`
    } catch (error) {
      throw new Error(`${path}: ${/** @type {Error} */ (error).message}`)
    }
  })
