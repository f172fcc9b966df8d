import { appendFileSync, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { after } from 'node:test'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'
import { coverageKept } from './browser-coverage.js'

/** @typedef {import('playwright-core').Page} Page */

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

const FOLDERS = ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter)]

const CHROMIUM = FOLDERS.flatMap(folder => NAMES.map(name => join(folder, name))).find(file =>
  existsSync(file)
)

const INSTALL = 'apt-get install -y --no-install-recommends chromium'

/** What a browser does of its own accord has no place in a test. */
const ARGS = [
  ...'--no-sandbox --disable-gpu --disable-dev-shm-usage --disable-background-networking'.split(' '),
  ...'--disable-component-update --disable-default-apps --disable-sync --no-first-run'.split(' ')
]

/**
 * skipWithoutBrowser are the options of a test that needs Chromium. Without it the part is named as skipped, except where
 * everything must run.
 *
 * @param {string} part - what is then not tested
 * @returns {{ skip?: string }}
 */
export function skipWithoutBrowser(part) {
  if (CHROMIUM !== undefined) return {}
  const reason = `${part}: no Chromium here; ${INSTALL}`
  if (process.env.CI) throw new Error(reason)
  if (process.env.SKIPPED_LOG) appendFileSync(process.env.SKIPPED_LOG, `${reason}\n`)
  return { skip: reason }
}

/** @type {Promise<import('playwright-core').Browser> | undefined} */
let browser

after(async () => (await browser)?.close())

/**
 * @typedef {object} Seen - of a page in a browser
 * @property {string[]} complaints - errors and warnings of the browser
 * @property {string[]} requests - beside that for the page itself
 */

/**
 * withPage opens a file, or what is served, as its reader would.
 *
 * @param {string} file - or an address
 * @param {{ width: number, scheme: 'light' | 'dark', script?: boolean }} look - `script`: false: none runs
 * @param {(page: Page, seen: Seen) => Promise<void>} use
 */
export async function withPage(file, { width, scheme, script = true }, use) {
  browser ??= chromium.launch({ executablePath: CHROMIUM, headless: true, args: ARGS })
  const context = await (await browser).newContext({
    viewport: { width, height: 900 },
    colorScheme: scheme,
    javaScriptEnabled: script
  })
  try {
    const page = await context.newPage()
    const address = file.startsWith('http:') ? file : pathToFileURL(file).href
    /** @type {Seen} */
    const seen = { complaints: [], requests: [] }
    page.on('console', message => {
      if (['error', 'warning'].includes(message.type())) seen.complaints.push(message.text())
    })
    page.on('pageerror', error => seen.complaints.push(error.message))
    page.on('request', request => {
      if (request.url() !== address) seen.requests.push(request.url())
    })
    const look = async () => {
      await page.goto(address, { waitUntil: 'load' })
      await use(page, seen)
    }
    await (script ? coverageKept(page, look) : look())
  } finally {
    await context.close()
  }
}
