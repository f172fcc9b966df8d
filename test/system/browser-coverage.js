import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { joinScriptFiles, REMOVED_FROM_SCRIPTS } from '../../src/report/page.js'

/**
 * @typedef {Awaited<ReturnType<import('playwright-core').Coverage['stopJSCoverage']>>[number]} Entry - of a script, as V8 has it
 * @typedef {Entry['functions'][number]} Covered
 * @typedef {object} Part - of the script of a page: a file of ours
 * @property {string} url
 * @property {number} begin - where it begins in the script
 * @property {number} end
 * @property {(offset: number) => number} inFile - offset in the file of one in the script
 * @property {number} length - of the file
 */

/** What begins in pages, how files are joined into it, and what goes from them. @type {[file: string, join: (main: URL) => Map<string, string>, removed: RegExp][]} */
const MAINS = [
  ['page/script/main.js', joinScriptFiles, REMOVED_FROM_SCRIPTS],
  ['page/script/dashboard.js', joinScriptFiles, REMOVED_FROM_SCRIPTS]
]

/** Where Node leaves what its processes covered, for c8. */
const FOLDER = process.env.NODE_V8_COVERAGE

let written = 0

/** Where in a file each of its characters that a page has stands. @param {string} text @param {RegExp} removed */
function offsetsKept(text, removed) {
  const offsets = []
  let from = 0
  for (const { index, 0: left } of [...text.matchAll(removed), { index: text.length, 0: '' }]) {
    for (let offset = from; offset < index; offset++) offsets.push(offset)
    from = index + left.length
  }
  return [...offsets, text.length]
}

/** @param {(typeof MAINS)[number]} main @returns {{ text: string, parts: Part[] }} */
function scriptOf([main, join, removed]) {
  let text = ''
  const parts = [...join(new URL(`../../src/report/${main}`, import.meta.url))].map(([url, part]) => {
    const file = readFileSync(new URL(url), 'utf8')
    const kept = offsetsKept(file, removed)
    const begin = text.length
    text += part
    return {
      url,
      begin,
      end: text.length,
      inFile: (/** @type {number} */ offset) => kept[offset - begin],
      length: file.length
    }
  })
  return { text, parts }
}

/** @param {Covered[]} functions - of a script @param {Part} part */
function coveredIn(functions, { begin, end, inFile, length }) {
  const own = functions.filter(
    ({ ranges: [{ startOffset, endOffset }] }) => startOffset >= begin && endOffset <= end
  )
  const whole = {
    functionName: '',
    isBlockCoverage: true,
    ranges: [{ startOffset: 0, endOffset: length, count: 1 }]
  }
  const mapped = own.map(({ ranges, ...more }) => ({
    ...more,
    ranges: ranges.map(range => ({
      ...range,
      startOffset: inFile(range.startOffset),
      endOffset: inFile(range.endOffset)
    }))
  }))
  return [whole, ...mapped]
}

/**
 * coverageKept has what scripts of ours do in a page count as what they do in Node: it is left where Node leaves its own, by file.
 *
 * @param {import('playwright-core').Page} page - before it has loaded anything
 * @param {() => Promise<void>} use
 */
export async function coverageKept(page, use) {
  if (FOLDER === undefined) return use()
  await page.coverage.startJSCoverage()
  await use()
  const entries = await page.coverage.stopJSCoverage()
  const scripts = MAINS.map(scriptOf)
  const result = entries.flatMap(({ source, functions }) => {
    const { parts = [] } = scripts.find(({ text }) => text === source) ?? {}
    return parts.map((part, i) => ({
      scriptId: String(i),
      url: part.url,
      functions: coveredIn(functions, part)
    }))
  })
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(
    join(FOLDER, `coverage-${process.pid}-${Date.now()}-browser-${written++}.json`),
    JSON.stringify({ result })
  )
}
