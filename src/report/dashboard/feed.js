import { Story } from './story.js'

/**
 * @typedef {import('./script/seen.js').Line} Line
 * @typedef {import('node:http').ServerResponse} ServerResponse
 */

/** A page that takes nothing for long is let go of; it comes back and is told anew. */
const MOST_WAITING_BYTES = 8_000_000

/** A piece of an event stream. @param {object} line */
const event = line => `data: ${JSON.stringify(line)}\n\n`

/** How long a page has to take the last of it. */
const LAST_MS = 2000

/** @param {ServerResponse} page @returns {Promise<void>} */
const ended = page =>
  new Promise(resolve => {
    const timer = setTimeout(() => page.destroy(), LAST_MS)
    page.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
    page.end(event({ type: 'over' }))
  })

/** Feed tells pages what goes on, as server-sent events: what was so far, and each line as it comes. */
export class Feed {
  #story = new Story()
  /** @type {Set<ServerResponse>} */
  #pages = new Set()

  /** add tells a line to all of them. @param {Line} line */
  add(line) {
    this.#story.add(line)
    const text = event(line)
    for (const page of this.#pages)
      if (page.writableLength > MOST_WAITING_BYTES) page.destroy()
      else page.write(text)
  }

  /** answer is that to a page that asks. @returns {import('../../server/http.js').Answer} */
  answer() {
    return {
      type: 'text/event-stream; charset=utf-8',
      headers: { 'cache-control': 'no-store' },
      body: 'retry: 1000\n\n',
      stream: page => {
        page.write(this.#story.lines().map(event).join(''))
        this.#pages.add(page)
        page.on('error', () => {})
        page.once('close', () => this.#pages.delete(page))
      }
    }
  }

  /** end tells all of them that nothing more comes, and waits until they have it. */
  async end() {
    await Promise.all([...this.#pages].map(ended))
  }
}
