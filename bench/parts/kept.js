import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { markdownTable } from 'markdown-table'

/** @typedef {{ title: string, head: string[], rows: string[][], commands?: string[] }} Table - `commands`: what was run, a line each */

/** @param {string} name */
const fileOf = name => fileURLToPath(new URL(`../../results/reference/${name}.json`, import.meta.url))

/**
 * keptValues are what was kept in results/reference before.
 *
 * @param {string} name - of its file
 * @returns {Promise<Record<string, any>>}
 */
export const keptValues = name => readFile(fileOf(name), 'utf8').then(JSON.parse, () => ({}))

/** keepValues keeps them. @param {string} name @param {object} values */
export const keepValues = (name, values) => writeFile(fileOf(name), `${JSON.stringify(values)}\n`)

/** keepTable keeps a table as markdown. @param {string} name - of its file @param {Table} table */
export async function keepTable(name, { title, head, rows, commands }) {
  const table = markdownTable([head, ...rows], { align: head.map((_, i) => (i === 0 ? 'l' : 'r')) })
  const lines = commands === undefined ? '' : `\n${commands.map(line => `- \`${line}\``).join('\n')}\n`
  await writeFile(fileOf(name).replace(/json$/, 'md'), `${title}\n\n${table}\n${lines}`)
}

/**
 * kept writes a table into results/reference, with the rows of the runs before that were not made anew.
 *
 * @param {string} name - of its files
 * @param {Table} table
 * @param {Record<string, string[]>} rows - by what is theirs alone
 * @returns {Promise<Table>}
 */
export async function kept(name, { title, head, commands }, rows) {
  const { rows: before = {} } = await keptValues(name)
  const all = { title, head, rows: { ...before, ...rows }, commands }
  await writeFile(fileOf(name), `${JSON.stringify(all, null, 1)}\n`)
  const table = { title, head, rows: Object.values(all.rows), commands }
  await keepTable(name, table)
  return table
}
