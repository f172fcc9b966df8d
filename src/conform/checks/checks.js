import { SAYS } from '../specification.js'
import { holds } from '../verdict.js'
import { COOKIES } from './cookies.js'
import { DISCOVERING } from './discovering.js'
import { LIMITS } from './limits.js'
import { RECORDS } from './records.js'
import { REGISTERING } from './registering.js'
import { STREAMS } from './streams.js'

/**
 * @typedef {'registration' | 'own' | 'restart'} Need - `registration`: that the target takes any; `own`: leave to send what is broken, to
 *   fill it; `restart`: a way to start it again
 *
 * @typedef {object} Check
 * @property {string} id
 * @property {string} title - what is expected
 * @property {string} [sentence] - of the specification that it stands for; none: beyond it
 * @property {readonly Need[]} [needs] - default a registration
 * @property {number} [limitMs] - it takes at most
 * @property {(visit: import('../visit.js').Visit) => Promise<import('../verdict.js').Verdict>} run
 *
 * @typedef {{ title: string, checks: readonly Check[] }} Group
 */

/** @type {Check} */
const PROTOCOL = {
  id: 'protocol',
  title: 'the target speaks /rendezvous/1.0.0',
  sentence: SAYS.PROTOCOL,
  needs: [],
  async run(visit) {
    const { how, says } = await visit.discover()
    return holds(how === 'reply', `DISCOVER was answered by ${says}`)
  }
}

/** GROUPS are all checks, in the order in which they are made. @type {readonly Group[]} */
export const GROUPS = [
  { title: 'Registrations', checks: [PROTOCOL, ...REGISTERING] },
  { title: 'Discovery', checks: DISCOVERING },
  { title: 'Cookies', checks: COOKIES },
  { title: 'Records', checks: RECORDS },
  { title: 'Streams and messages', checks: STREAMS },
  { title: 'Limits', checks: LIMITS }
]
