// Writes HTML pages from descriptions (tables and plots made from a result): the self-contained report.html, and the
// live dashboard with its updates.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { formatDuration } from '../kit/numbers.js'
import { Html, html } from '../kit/safe-text.js'
import { makeTable, makeTimeSeries } from './description.js'
import { contentsHtml, figureHtml, layoutHtml, placePlots, tablesHtml, topHtml } from './page/parts.js'
import { STYLE } from './page/style.js'

/**
 * @typedef {object} Script
 * @property {Html} tag
 * @property {string} hash - by which the browser knows that the script may run
 */

const SCRIPT_IMPORTS = /^import [^']* from '(\..*)'$/gm

/** REMOVED_FROM_SCRIPTS: imports, exports and doc comments go when files are joined into one script. */
export const REMOVED_FROM_SCRIPTS = /^import [^']*'.*'\n|^export |^ *\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n/gm

/** @param {string} name - file of a package */
const packageFile = name => readFileSync(fileURLToPath(import.meta.resolve(name)), 'utf8')

/**
 * joinScriptFiles reads a file and, before it, the files that it imports, each once.
 *
 * @param {URL} file
 * @param {Map<string, string>} [texts] - by address, those that stand before it
 */
export function joinScriptFiles(file, texts = new Map()) {
  const text = readFileSync(file, 'utf8')
  for (const [, path] of text.matchAll(SCRIPT_IMPORTS)) {
    const imported = new URL(path, file)
    if (!texts.has(imported.href)) joinScriptFiles(imported, texts)
  }
  return texts.set(file.href, text.replace(REMOVED_FROM_SCRIPTS, ''))
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
const dataBlock = (id, data) =>
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
function htmlDocument({ title, summary, body, script: file, live = false }) {
  const scripts = [
    script(packageFile('uplot/dist/uPlot.iife.min.js'), ''),
    script([...joinScriptFiles(file).values()].join(''), ' type="module"')
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

/**
 * @typedef {import('./schema.js').Description} Description
 *
 * @typedef {object} PageHead - what a description does not hold
 * @property {string} [id] - of the run or study
 * @property {string} [when] - when, how long and on what it ran: one line
 * @property {import('./page/parts.js').Statement[]} [statements] - whether it is complete, and holds its thresholds
 * @property {string} [command] - that repeats it
 * @property {import('./page/parts.js').PageLinks} [links] - pages of runs that tables name
 * @property {readonly string[]} [files] - beside the page
 * @property {string} [version] - of this program
 */

const REPORT_SCRIPT = new URL('./page/script/main.js', import.meta.url)

/** @param {PageHead} head */
const footerHtml = ({ files = [], version = '' }) =>
  html`<footer class="quiet">${files.map((file, i) => html`${i === 0 ? '' : ' · '}<a href="${file}">${file}</a>`)}${files.length === 0 ? '' : ' · '}What each figure means: docs/figures.md of libp2p-loadtest ${version}</footer>\n`

/**
 * writeDescriptionPage is the page of a run or a study: one HTML file that needs no network. Its tables are read without a script; its script draws
 * the plots.
 *
 * @param {Description} description
 * @param {{ head?: PageHead }} [how]
 * @returns {string}
 */
export function writeDescriptionPage(description, { head = {} } = {}) {
  const { title, headline, tables } = description
  const { main, below } = placePlots(description.plots)
  const plots = [...main, ...below]
  const { id, command, links } = head
  const [first, ...rest] = tablesHtml(tables, links)
  const body = layoutHtml({
    top: topHtml(description, head),
    main: main.map(figureHtml),
    contents: contentsHtml({ tables, plots }, command !== undefined),
    first,
    plots:
      below.length === 0
        ? null
        : html`<section><h2>Plots</h2>
<noscript><p class="quiet">Plots are drawn by the script of this page, which does not run here.</p></noscript>
<div class="plots">
${below.map(figureHtml)}</div></section>
`,
    rest: [
      ...rest,
      command === undefined
        ? null
        : html`<section id="_repeat"><h2>Repeat</h2>
<pre tabindex="0"><code>${command}</code></pre>
</section>
`
    ]
  })
  return htmlDocument({
    title: `${id ?? title} · libp2p-loadtest`,
    summary: headline,
    body: html`${body}${footerHtml(head)}${dataBlock('_data', { tables, plots })}`,
    script: REPORT_SCRIPT
  })
}

const DASHBOARD_SCRIPT = new URL('./page/script/dashboard.js', import.meta.url)

/** writeDashboardPage is the page of a run or a study while it goes on: its script fills it with each state that the feed sends. @returns {string} */
export const writeDashboardPage = () =>
  htmlDocument({
    title: 'libp2p-loadtest',
    summary: 'Progress of a run',
    script: DASHBOARD_SCRIPT,
    live: true,
    body: html`${layoutHtml({
      top: html`<div id="_top" aria-live="off"><h1>Waiting for the first figures</h1></div>
<p class="bad" id="_lost" role="alert" hidden>The run does not answer. It may have ended.</p>
<noscript><p>This page needs its script. The terminal shows the same progress.</p></noscript>
`,
      main: html`<div id="_main"></div>`,
      contents: html`<span id="_contents"></span>`,
      first: html`<div id="_first"></div>\n`,
      plots: html`<div class="plots" id="_plots"></div>\n`,
      rest: html`<div class="tables" id="_rest"></div>\n`
    })}<footer class="quiet">This page ends with the run. The report is then in the run's folder.</footer>
`
  })

/**
 * @typedef {import('./schema.js').Plot} Plot
 * @typedef {import('./page/parts.js').Statement} Statement
 * @typedef {Record<string, any> & { type: string, run: string }} Line - as of --jsonLines
 * @typedef {{ at: number, rate: number | null, p50: number | null, p99: number | null, cpu: number | null, memory: number | null }} ProgressPoint
 */

const MAX_POINTS = 300

const X = 'Time since the run began, s'

/** @type {[id: string, title: string, y: string, series: Exclude<keyof ProgressPoint, 'at'>[]][]} */
const PLOTS = [
  ['rate', 'Rate', 'Per second', ['rate']],
  ['times', 'Response times of the last moments', 'Time, ms', ['p50', 'p99']],
  ['cpu', 'CPU of what is measured', 'CPU, % of a core', ['cpu']],
  ['memory', 'Memory of what is measured', 'Memory, MB', ['memory']]
]

/** A list that grows all the time stays short: of its older half every other item goes. @param {ProgressPoint[]} points */
const thinned = points =>
  points.length <= MAX_POINTS ? points : points.filter((_, i) => i >= MAX_POINTS / 2 || i % 2 === 0)

/** Course is what is known of a run while it goes on, from the lines of --jsonLines. */
class Course {
  #began = 0
  /** @type {{ name: string, title: string, fromMs: number, toMs: number | null, detail: string }[]} */
  #phases = []
  /** @type {Line | null} */
  #progress = null
  /** @type {ProgressPoint[]} */
  #points = []
  /** @type {Line} */
  #start
  /** @type {Line | undefined} the latest figures */
  #sample
  /** @type {Line | undefined} */
  #end
  /** @type {string[]} */
  #warnings = []
  /** @type {Description | undefined} */
  #described

  /** @param {Line} line - the first */
  constructor(line) {
    this.#start = line
    this.#began = Date.parse(line.at)
  }

  get label() {
    return this.#start.label ?? this.#start.run
  }

  get place() {
    const { index, total } = this.#start
    return index === undefined ? '' : `run ${index}${total === undefined ? '' : ` of ${total}`}`
  }

  get isOver() {
    return this.#end !== undefined
  }

  /** describe takes the description of the result so far. @param {Description} description */
  describe(description) {
    this.#described = description
  }

  /** forget keeps no more of a run of a study that has ended than its state. */
  forget() {
    Object.assign(this.#start, { plan: undefined })
    this.#points = []
    this.#sample = this.#described = undefined
  }

  /** @param {Line} line */
  add(line) {
    if (line.type === 'start') this.#start = line
    else if (line.type === 'phase') this.#addPhase(line)
    else if (line.type === 'progress') this.#addProgress(line)
    else if (line.type === 'sample') this.#sample = line
    else if (line.type === 'warning') this.#warnings.push(line.message)
    else if (line.type === 'end') {
      this.#sample = this.#end = line
      this.#progress = null
    }
  }

  /** @param {Line} line */
  #addPhase({ phase: name, title = name, state, atMs, detail = '' }) {
    const open = this.#phases.find(each => each.name === name && each.toMs === null)
    if (state === 'begin' || open === undefined)
      this.#phases.push({ name, title, fromMs: atMs, toMs: state === 'begin' ? null : atMs, detail })
    else Object.assign(open, { toMs: atMs, detail })
    this.#progress = null
  }

  /** @param {Line} line */
  #addProgress(line) {
    this.#progress = line
    const { ratePerSecond: rate = null, p50Ms: p50 = null, p99Ms: p99 = null, cpuPercent: cpu = null } = line
    const memory = line.rssBytes == null ? null : line.rssBytes / 1e6
    if ([rate, p50, p99, cpu, memory].every(value => value === null)) return
    this.#points = thinned([
      ...this.#points,
      { at: (Date.parse(line.at) - this.#began) / 1000, rate, p50, p99, cpu, memory }
    ])
  }

  /** state says in a few words how far it is. @returns {Statement} */
  state() {
    if (this.#end?.status === 'complete') return { tone: 'good', text: 'Complete.' }
    if (this.#end !== undefined)
      return { tone: 'bad', text: `Partial: ${this.#end.reason?.message ?? 'the run did not end'}.` }
    const title = this.#phases.findLast(({ toMs }) => toMs === null)?.title ?? 'starting'
    if (this.#progress === null) return { tone: 'good', text: `Running: ${title}.` }
    const { done, total, unit, etaMs } = this.#progress
    const written = (/** @type {number} */ n) =>
      unit === 'ms' ? formatDuration(n) : `${Math.round(n)} ${unit}`
    return {
      tone: 'good',
      text: `Running: ${title}, ${written(done)}${total == null ? '' : ` of ${written(total)}`}${etaMs == null ? '' : `, ${formatDuration(etaMs)} left`}.`
    }
  }

  /** statements are on how far it is, its thresholds and where its result is. @returns {Statement[]} */
  statements() {
    /** @type {{ text: string, passed: boolean }[]} */
    const thresholds = this.#sample?.thresholds ?? []
    const says = (/** @type {string} */ text, isGood = true) =>
      /** @type {Statement} */ ({ tone: isGood ? 'good' : 'bad', text })
    return [
      this.state(),
      ...thresholds.map(({ text, passed }) => says(`${text} ${passed ? 'passed' : 'failed'}`, passed)),
      ...(this.#end?.folder ? [says(`The result is in ${this.#end.folder}.`)] : [])
    ]
  }

  when() {
    return `${this.#start.scenario ?? ''} · since ${new Date(this.#began).toISOString().slice(11, 19)} UTC`
  }

  /** @returns {Plot[]} */
  #plots() {
    const hasMain = this.#described?.plots.some(({ main }) => main)
    return PLOTS.flatMap(([id, title, y, keys]) => {
      const known = this.#points.filter(point => keys.some(key => point[key] !== null))
      const values = Object.fromEntries(
        keys.map(key => [key === 'cpu' ? 'CPU' : key, (/** @type {ProgressPoint} */ point) => point[key]])
      )
      const plot = { id: `live-${id}`, title, kind: /** @type {const} */ ('lines'), x: X, y }
      const main = id === 'rate' && !hasMain && { main: true }
      return known.length === 0
        ? []
        : { ...plot, ...main, series: makeTimeSeries(known, values, ({ at }) => at) }
    })
  }

  /** @returns {Description['tiles']} */
  #tiles() {
    const latest = (/** @type {Exclude<keyof ProgressPoint, 'at'>} */ key) =>
      this.#points.findLast(point => point[key] !== null)?.[key] ?? null
    return [
      ['Rate', latest('rate'), 'perSecond'],
      ['p50', latest('p50'), 'ms'],
      ['p99', latest('p99'), 'ms'],
      ['CPU', latest('cpu'), 'percent']
    ]
  }

  /** description is the description of the result so far, with the course of the run. @returns {Description} */
  description() {
    /** @type {Record<string, any>} */
    const { figures = {}, atLeast = [] } = this.#sample ?? {}
    const { units = {}, says = '' } = this.#start
    const tables = [
      makeTable('live-phases', 'Phases', this.#phases, [
        ['Phase', ({ title }) => title, 'text'],
        ['Took', ({ fromMs, toMs }) => (toMs === null ? 'running' : formatDuration(toMs - fromMs)), 'text'],
        ['Detail', ({ detail }) => detail || null, 'text']
      ]),
      makeTable('live-figures', 'Figures so far', Object.entries(figures), [
        ['Figure', ([name]) => name, 'text'],
        ['Value', ([name, value]) => (atLeast.includes(name) ? { atLeast: value } : value), 'number'],
        ['Unit', ([name]) => units[name] ?? null, 'text']
      ])
    ].filter(({ rows }) => rows.length > 0)
    const described = this.#described
    if (described !== undefined)
      return {
        ...described,
        tables: [...described.tables, ...tables],
        plots: [...described.plots, ...(this.isOver ? [] : this.#plots())]
      }
    return {
      title: this.label,
      headline: says,
      tiles: this.#points.length === 0 ? [] : this.#tiles(),
      tables,
      plots: this.#plots(),
      warnings: this.#warnings.map(text => ({ code: 'WARNING', text }))
    }
  }
}

/**
 * @typedef {import('node:http').ServerResponse} ServerResponse
 *
 * @typedef {object} DashboardState - all that the dashboard shows
 * @property {Description} description
 * @property {{ when?: string, statements: import('./page/parts.js').Statement[] }} head
 * @property {boolean} over - nothing more comes
 */

const MIN_INTERVAL_MS = 1000

/** How long a page has to take the last state. */
const LAST_MS = 2000

/** @type {Description} */
const NOTHING = {
  ...{ title: 'libp2p-loadtest', headline: 'Waiting for the first figures.' },
  ...{ tiles: [], tables: [], plots: [], warnings: [] }
}

/** @param {DashboardState} state */
const event = state => `data: ${JSON.stringify(state)}\n\n`

/** DashboardFeed sends pages the state of a run or a study as server-sent events, at most once a second. */
export class DashboardFeed {
  /** @type {Map<string, Course>} */
  #runs = new Map()
  /** @type {Line | undefined} */
  #study
  /** @type {Set<ServerResponse>} */
  #pages = new Set()
  /** @type {NodeJS.Timeout | undefined} */
  #timer

  /** add takes a line of --jsonLines. @param {Line} line */
  add(line) {
    if (line.type === 'study') this.#study = line
    else {
      const course = this.#runs.get(line.run) ?? new Course(line)
      this.#runs.set(line.run, course)
      course.add(line)
      // of many runs only the one that is shown is kept whole
      if (line.type === 'start')
        for (const other of this.#runs.values()) if (other !== course && other.isOver) other.forget()
    }
    this.#send()
  }

  /** describe takes the description of the result of a run, as far as it is known. @param {string} run @param {Description} description */
  describe(run, description) {
    this.#runs.get(run)?.describe(description)
    this.#send()
  }

  #send() {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      if (this.#pages.size === 0) return
      const text = event(this.state())
      // a page that has not taken the last state yet gets a later one
      for (const page of this.#pages) if (page.writableLength === 0) page.write(text)
    }, MIN_INTERVAL_MS).unref()
  }

  /** @param {boolean} [over] @returns {DashboardState} */
  state(over = false) {
    const runs = [...this.#runs.values()]
    const shown = runs.find(({ isOver }) => !isOver) ?? runs.at(-1)
    if (shown === undefined) return { description: NOTHING, head: { statements: [] }, over }
    const description = shown.description()
    const head = { when: shown.when(), statements: shown.statements() }
    if (this.#study === undefined) return { description, head, over }
    const states = makeTable('live-runs', 'Runs', runs, [
      ['#', course => runs.indexOf(course) + 1, 'count'],
      ['Run', ({ label }) => label, 'text'],
      ['State', course => course.state().text, 'text']
    ])
    const place = [this.#study.run, shown.place, shown.label].filter(Boolean).join(' · ')
    return {
      description: { ...description, title: place, tables: [...description.tables, states] },
      head,
      over
    }
  }

  /** answer is that to a page that asks. @returns {import('../server/http.js').Answer} */
  answer() {
    return {
      type: 'text/event-stream; charset=utf-8',
      headers: { 'cache-control': 'no-store' },
      body: 'retry: 1000\n\n',
      stream: page => {
        page.write(event(this.state()))
        this.#pages.add(page)
        page.on('error', () => {})
        page.once('close', () => this.#pages.delete(page))
      }
    }
  }

  /** end sends the last state, and waits until the pages have it. */
  async end() {
    clearTimeout(this.#timer)
    const text = event(this.state(true))
    const ended = (/** @type {ServerResponse} */ page) =>
      /** @type {Promise<void>} */ (
        new Promise(resolve => {
          const timer = setTimeout(() => page.destroy(), LAST_MS)
          page.once('close', () => {
            clearTimeout(timer)
            resolve()
          })
          page.end(text)
        })
      )
    await Promise.all([...this.#pages].map(ended))
  }
}
