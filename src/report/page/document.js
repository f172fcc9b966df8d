import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Html, html } from '../../kit/html.js'
import { STYLE } from './style.js'

/**
 * @typedef {object} Script
 * @property {Html} tag
 * @property {string} hash - by which the browser knows that the script may run
 */

const IMPORTED = /^import [^']* from '(\..*)'$/gm

/** REMOVED: imports, exports and doc comments go when files are joined into one script. */
export const REMOVED = /^import [^']*'.*'\n|^export |^ *\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n/gm

/** @param {string} name - file of a package */
const packageFile = name => readFileSync(fileURLToPath(import.meta.resolve(name)), 'utf8')

/**
 * joinedFiles reads a file and, before it, the files that it imports, each once.
 *
 * @param {URL} file
 * @param {Map<string, string>} [texts] - by address, those that stand before it
 */
export function joinedFiles(file, texts = new Map()) {
  const text = readFileSync(file, 'utf8')
  for (const [, path] of text.matchAll(IMPORTED)) {
    const imported = new URL(path, file)
    if (!texts.has(imported.href)) joinedFiles(imported, texts)
  }
  return texts.set(file.href, text.replace(REMOVED, ''))
}

/** @param {string} text @param {string} kind @returns {Script} */
const script = (text, kind) => ({
  tag: new Html(`<script${kind}>${text}</script>\n`),
  hash: `'sha256-${createHash('sha256').update(text).digest('base64')}'`
})

/** The page loads nothing, and runs nothing but its own scripts. @param {readonly Script[]} scripts @param {boolean} live */
const policy = (scripts, live) =>
  [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    'img-src data:',
    `script-src ${scripts.map(({ hash }) => hash).join(' ')}`,
    ...(live ? ["connect-src 'self'"] : [])
  ].join('; ')

/** dataBlock is JSON that a script of the page reads. No text in it can end the block. @param {string} id @param {unknown} data */
export const dataBlock = (id, data) =>
  new Html(
    `<script type="application/json" id="${id}">${JSON.stringify(data).replace(/</g, '\\u003c')}</script>\n`
  )

/**
 * htmlDocument makes one HTML file with its style and scripts.
 *
 * @param {object} page
 * @param {string} page.title
 * @param {string} page.summary - for lists of pages
 * @param {Html} page.body
 * @param {URL} page.script - the file that begins
 * @param {boolean} [page.live] - it asks its own server, and nobody else
 * @returns {string}
 */
export function htmlDocument({ title, summary, body, script: file, live = false }) {
  const scripts = [
    script(packageFile('uplot/dist/uPlot.iife.min.js'), ''),
    script([...joinedFiles(file).values()].join(''), ' type="module"')
  ]
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Html(policy(scripts, live))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${summary}">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${new Html(packageFile('uplot/dist/uPlot.min.css'))}${STYLE}</style>
</head>
<body>
<main>
${body}</main>
${scripts.map(({ tag }) => tag)}</body>
</html>
`)
}
