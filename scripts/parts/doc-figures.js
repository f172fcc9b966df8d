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

/** anchorOf is the anchor that GitHub gives a heading. @param {string} heading - its line */
export const anchorOf = heading =>
  heading
    .replace(/^#+ /, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')

/**
 * @param {string} text
 * @param {string | undefined} anchor - of a heading; left out: the whole text
 * @returns {string} what stands below that heading
 */
function below(text, anchor) {
  if (anchor === undefined) return text
  const lines = text.split('\n')
  const place = lines.findIndex(line => line.startsWith('#') && anchorOf(line) === anchor)
  if (place < 0) throw new Error(`there is no heading #${anchor}`)
  return lines.slice(place).join('\n')
}

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
 * where the result is a file with tables in markdown, or `<file>#<anchor>` for the first of these tables below a heading. Without columns
 * all of them are shown.
 *
 * @param {string} text
 * @param {string} results - folder that results are named from
 * @throws {Error} for a result, heading, table or column that is not there
 */
export const withFigures = (text, results) =>
  text.replace(BLOCK, (whole, path, begins, columns) => {
    try {
      const [file, anchor] = path.split('#')
      const shown = below(readFileSync(join(results, file), 'utf8'), anchor)
      const table = tableIn(shown, begins, columns === undefined ? null : columns.split('; '))
      return `${whole.slice(0, whole.indexOf('\n'))}\n\n${table}\n\n<!-- /figures -->`
    } catch (error) {
      throw new Error(`${path}: ${/** @type {Error} */ (error).message}`)
    }
  })
