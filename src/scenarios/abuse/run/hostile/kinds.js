import { identities, requests, slow, streams, unread } from './asking.js'
import { connections, frames, handshakes, http } from './connecting.js'
import { invalid, records, store } from './registering.js'

/**
 * PREPARE connects who does an abuse, and gives what does it at so many times its rate, by kind.
 *
 * @type {Readonly<Record<string, import('./registering.js').Prepare>>}
 */
export const PREPARE = Object.freeze({
  http,
  requests,
  unread,
  store,
  records,
  handshakes,
  frames,
  invalid,
  connections,
  streams,
  slow,
  identities
})
