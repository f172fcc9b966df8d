// Checks of streams, with bytes that no client sends.
import { encodeFrame } from '../../protocol/rendezvous.js'
import { discoverMessage, encodeFields } from './check-session.js'
import { differs, fail, holds, pass, refusal, SAYS, same, untested } from './verdict.js'

/**
 * @typedef {import('../examination.js').Check} Check
 * @typedef {import('./check-session.js').Visit} Visit
 */

const UNKNOWN_TYPE = 99
const ENDS_WITHIN_MS = 2000
const MORE_WITHIN_MS = 300
/** Who does what is wrong has a connection of its own. */
const OFFENDER = 'X'
/** Fields that no revision knows. @type {import('./check-session.js').Fields} */
const UNKNOWN_FIELDS = [
  [999, 7],
  [1000, 'unknown']
]

/** STREAMS are checks of streams, frames and messages. @type {readonly Check[]} */
export const STREAMS = [
  {
    id: 'stream-several',
    title: 'several requests, one after the other, are served on one stream',
    needs: [],
    async run(visit) {
      const exchange = await visit.exchange('A')
      const message = discoverMessage({ ns: visit.ns })
      for (const which of ['first', 'second', 'third']) {
        const { how, says } = await exchange.ask(message)
        if (how !== 'reply')
          return (which === 'first' ? fail : differs)(`the ${which} was answered by ${says}`)
      }
      return pass()
    }
  },
  {
    id: 'stream-one-reply',
    title: 'a request has one reply',
    needs: [],
    async run(visit) {
      const exchange = await visit.exchange('A')
      const { how, says } = await exchange.ask(discoverMessage({ ns: visit.ns }))
      if (how !== 'reply') return fail(`answered by ${says}`)
      return holds((await exchange.answer(MORE_WITHIN_MS)).how !== 'reply', 'there was another one')
    }
  },
  {
    id: 'stream-ahead',
    title: 'requests sent ahead are answered in their order',
    async run(visit) {
      const exchange = await visit.exchange('A')
      const register = await visit.registerMessage('A')
      const messages = [discoverMessage({ ns: visit.ns }), register, discoverMessage({ ns: visit.ns })]
      exchange.send(Buffer.concat(messages.map(encodeFrame)))
      const answers = [await exchange.answer(), await exchange.answer(), await exchange.answer()]
      const missing = answers.find(({ how }) => how !== 'reply')
      if (missing !== undefined) return differs(`not all are answered: ${missing.says}`)
      const [before, , after] = await Promise.all(answers.map(answer => visit.read(answer)))
      const inOrder = answers[1].message?.registerResponse !== undefined
      return holds(
        inOrder && before.names.length === 0 && same(after.names, 'A'),
        'answered in another order'
      )
    }
  },
  {
    id: 'stream-split',
    title: 'a request that comes byte by byte is served',
    needs: [],
    async run(visit) {
      const exchange = await visit.exchange('A')
      for (const byte of encodeFrame(discoverMessage({ ns: visit.ns }))) {
        exchange.send(Uint8Array.of(byte))
        await new Promise(resolve => setImmediate(resolve))
      }
      const { ok, says } = await exchange.answer()
      return holds(ok, `answered by ${says}`)
    }
  },
  {
    id: 'stream-half-closed',
    title: 'who ends its half of the stream behind a request still gets the reply',
    needs: [],
    async run(visit) {
      const exchange = await visit.exchange('A')
      exchange.send(encodeFrame(discoverMessage({ ns: visit.ns })))
      await exchange.finish()
      const { ok, says } = await exchange.answer()
      return holds(ok, `answered by ${says}`)
    }
  },
  {
    id: 'stream-many',
    title: 'streams of one connection are served beside each other',
    needs: [],
    async run(visit) {
      const exchanges = await Promise.all(Array.from({ length: 8 }, () => visit.exchange('A')))
      const message = discoverMessage({ ns: visit.ns })
      const answers = await Promise.all(exchanges.map(exchange => exchange.ask(message)))
      const missing = answers.find(({ ok }) => !ok)
      return holds(missing === undefined, `one was answered by ${missing?.says}`)
    }
  },
  {
    id: 'fields-register',
    title: 'fields that are not known are skipped in REGISTER',
    async run(visit) {
      const { ok, says } = await visit.ask('A', await visit.registerMessage('A', {}, UNKNOWN_FIELDS))
      const { names } = await visit.discovered()
      return holds(ok && same(names, 'A'), `answered by ${says}`)
    }
  },
  {
    id: 'fields-discover',
    title: 'fields that are not known are skipped in DISCOVER',
    needs: [],
    async run(visit) {
      const { ok, says } = await visit.ask('A', discoverMessage({ ns: visit.ns }, UNKNOWN_FIELDS))
      return holds(ok, `answered by ${says}`)
    }
  },
  broken('message-unknown', 'a message of an unknown type', () =>
    encodeFrame(encodeFields([[1, UNKNOWN_TYPE]]))
  ),
  broken('message-response', 'a message that is a response', () =>
    encodeFrame(
      encodeFields([
        [1, 1],
        [3, [[1, 0]]]
      ])
    )
  ),
  broken('message-bare', 'REGISTER without anything in it', () => encodeFrame(encodeFields([[1, 0]]))),
  broken('message-junk', 'a frame of bytes that are no message', () =>
    encodeFrame(new Uint8Array(64).fill(0xff))
  ),
  broken('frame-empty', 'an empty frame', () => Uint8Array.of(0)),
  broken(
    'frame-cut',
    'a stream that ends within a frame',
    ({ ns }) => encodeFrame(discoverMessage({ ns })).subarray(0, -3),
    { finish: true }
  ),
  broken('frame-oversized', 'a frame that announces 1 GiB, with 64 KiB of it', () =>
    Buffer.concat([Uint8Array.of(0x80, 0x80, 0x80, 0x80, 0x04), new Uint8Array(65_536)])
  ),
  broken('frame-endless', 'a length of frame that has no end', () => new Uint8Array(32).fill(0xff))
]

/**
 * What no client sends: the target ends the stream or answers it, and serves all others.
 *
 * @param {string} id
 * @param {string} what
 * @param {(visit: Visit) => Uint8Array} bytes
 * @param {{ finish?: boolean }} [how] - `finish`: our half of the stream ends behind it
 * @returns {Check}
 */
function broken(id, what, bytes, { finish = false } = {}) {
  return {
    id,
    title: `${what}: the stream is ended or refused, others are served`,
    needs: ['own'],
    async run(visit) {
      const exchange = await visit.exchange(OFFENDER)
      exchange.send(bytes(visit))
      if (finish) await exchange.finish()
      const { how, ok, says } = await exchange.answer(ENDS_WITHIN_MS)
      if (!(await visit.stillServes(OFFENDER))) return fail('others are served no more')
      if (ok) return differs(`answered by ${says}`)
      return how === 'silent' ? differs('the stream stays open') : pass(`answered by ${says}`)
    }
  }
}

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
