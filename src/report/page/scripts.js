import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Html } from '../../kit/html.js'

/**
 * @typedef {object} Script - that stands in a page
 * @property {Html} tag
 * @property {string} hash - by which the browser is told that it may run
 */

const MAIN = new URL('./script/main.js', import.meta.url)

const IMPORTED = /^import .* from '(\..*)'$/gm

/** Where there is a plot to be asked, its data are. */
const HAS_PLOTS = '<script type="application/json">'

/** Of files that stand under one another, imports and exports go; their comments are for who reads them here. */
export const UNDER_ONE_ANOTHER = /^import .*\n|^export |^ *\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n/gm

/** @param {string} text @param {string} kind @returns {Script} */
const script = (text, kind) => ({
  tag: new Html(`<script${kind}>${text}</script>\n`),
  hash: `'sha256-${createHash('sha256').update(text).digest('base64')}'`
})

/** @param {URL | string} file */
const read = file => readFileSync(file, 'utf8')

/** A file of a package. @param {string} name */
const fileOf = name => fileURLToPath(import.meta.resolve(name))

/**
 * withImports are a file's text and, before it, those of what it imports, each once, as they stand in a page.
 *
 * @param {URL} file
 * @param {Map<string, string>} [texts] - by address, those that stand before
 */
export function withImports(file, texts = new Map()) {
  const text = read(file)
  for (const [, path] of text.matchAll(IMPORTED)) {
    const imported = new URL(path, file)
    if (!texts.has(imported.href)) withImports(imported, texts)
  }
  return texts.set(file.href, text.replace(UNDER_ONE_ANOTHER, ''))
}

/** @param {URL} main */
const ownScript = main => script([...withImports(main).values()].join(''), ' type="module"')

/**
 * @typedef {{ scripts: Script[], style: Html | null }} Scripts - of a page, with the style sheet of what they draw
 */

/**
 * withPlots are scripts of ours, and uPlot.
 *
 * @param {URL} main - the file that begins; what it imports stands before it
 * @returns {Scripts}
 */
export const withPlots = main => ({
  scripts: [script(read(fileOf('uplot/dist/uPlot.iife.min.js')), ''), ownScript(main)],
  style: new Html(read(fileOf('uplot/dist/uPlot.min.css')))
})

/**
 * scriptsOf are the scripts of a page: ours, and uPlot where there is something for it to draw.
 *
 * @param {string} body
 * @returns {Scripts}
 */
export const scriptsOf = body =>
  body.includes(HAS_PLOTS) ? withPlots(MAIN) : { scripts: [ownScript(MAIN)], style: null }
