import { discoverMessage } from '../request-messages.js'
import { SAYS } from '../specification.js'
import { differs, holds, pass, refusal, untested } from '../verdict.js'

/**
 * @typedef {import('../examine.js').Check} Check
 * @typedef {import('../visit.js').Visit} Visit
 */

const CAP = 1000
const FILL_MS = 120_000
/** Who registers a thousand times. */
const GREEDY = 'P'
const OVER = 5

/** LIMITS are checks that fill the target: the first does it, and looks at what the others ask for. @type {readonly Check[]} */
export const LIMITS = [
  {
    id: 'cap-peer',
    title: 'a peer holds 1,000 registrations, and no more',
    sentence: SAYS.MAX_PER_PEER,
    needs: ['registration', 'own'],
    limitMs: FILL_MS,
    run: fill
  },
  aside('cap-renewal', 'a peer at its cap can still renew'),
  aside('page-largest', 'a reply holds 1,000 registrations at most', SAYS.MAX_PER_QUERY)
]

/** @param {string} id @param {string} title @param {string} [sentence] @returns {Check} */
function aside(id, title, sentence) {
  return {
    id,
    title,
    sentence,
    needs: ['registration', 'own'],
    run: async ({ target }) => target.asides.get(id) ?? untested('cap-peer did not come so far')
  }
}

/** @param {Visit} visit */
async function fill(visit) {
  const { asides } = visit.target
  const messages = []
  for (let i = 0; i < CAP; i++) messages.push(await visit.registerMessage(GREEDY, { ns: `${visit.ns}-${i}` }))
  const answers = await visit.answers(GREEDY, messages)
  const refused = answers.findIndex(({ ok }) => !ok)
  const more = await visit.register(GREEDY, { ns: `${visit.ns}-more` })
  const renewed = await visit.register(GREEDY, { ns: `${visit.ns}-0` })
  if (refused >= 0 || !more.ok)
    asides.set('cap-renewal', holds(renewed.ok, `refused by ${renewed.says}`, differs))
  else asides.set('cap-renewal', untested('no cap was met'))
  if (refused >= 0) {
    asides.set('page-largest', untested(`only ${refused} registrations of a peer are taken`))
    return differs(`the ${refused + 1}st is refused by ${answers[refused].says}`)
  }
  for (let i = 0; i < OVER; i++) await visit.registered('A', { ns: `${visit.ns}-${i}` })
  asides.set('page-largest', await largestPage(visit))
  return refusal(more, ['E_NOT_AUTHORIZED', 'E_UNAVAILABLE'], differs)
}

/** Of all namespaces: a thousand peers in one would take a thousand connections. @param {Visit} visit */
async function largestPage(visit) {
  const { ok, says, found } = await visit.read(await visit.ask('D', discoverMessage({})))
  if (!ok) return differs(`answered by ${says}`)
  return found.length <= CAP ? pass() : differs(`it held more than ${CAP}`)
}
