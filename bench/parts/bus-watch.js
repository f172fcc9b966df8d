import { startPart } from './part-process.js'

/**
 * @typedef {object} Seen - on the bus since it was looked at last: each message as often as it was sent or delivered
 * @property {number} messages
 * @property {number} bytes - with headers
 * @property {number} toldBytes - of figures, as agents hand them over
 * @property {number} toldMessages
 * @property {{ bytes: number, subject: string }} largest
 * @property {number} limitBytes - of a message
 */

/**
 * watchBus looks at what goes over a bus, in a process of its own.
 *
 * @param {string} url
 */
export async function watchBus(url) {
  const { ask, stop } = await startPart(new URL('./bus-watch-entry.js', import.meta.url), [url])
  return {
    /** look tells what was there since the look before. @returns {Promise<Seen>} */
    look: () => ask({ kind: 'look' }),
    /** speedOf is how many messages a second the bus keeps. @param {number} bytes @param {number} forMs @returns {Promise<number>} */
    speedOf: (bytes, forMs) => ask({ kind: 'speed', bytes, forMs }),
    end: stop
  }
}
