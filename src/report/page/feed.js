import { table } from '../description/tables.js'
import { Course } from './course.js'

/**
 * @typedef {import('./course.js').Line} Line
 * @typedef {import('../description/description.js').Description} Description
 * @typedef {import('node:http').ServerResponse} ServerResponse
 *
 * @typedef {object} State - all that the dashboard shows
 * @property {Description} description
 * @property {{ when?: string, statements: import('./parts.js').Statement[] }} head
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

/** @param {State} state */
const event = state => `data: ${JSON.stringify(state)}\n\n`

/** Feed sends pages the state of a run or a study as server-sent events, at most once a second. */
export class Feed {
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

  /** @param {boolean} [over] @returns {State} */
  state(over = false) {
    const runs = [...this.#runs.values()]
    const shown = runs.find(({ isOver }) => !isOver) ?? runs.at(-1)
    if (shown === undefined) return { description: NOTHING, head: { statements: [] }, over }
    const description = shown.description()
    const head = { when: shown.when(), statements: shown.statements() }
    if (this.#study === undefined) return { description, head, over }
    const states = table('live-runs', 'Runs', runs, [
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

  /** answer is that to a page that asks. @returns {import('../../server/http.js').Answer} */
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
