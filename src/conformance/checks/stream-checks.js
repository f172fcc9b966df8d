// Conformance checks of streams, frames and malformed messages, and of a server's limits on registrations.
import { encodeFrame } from '../../protocol/rendezvous.js'
import { encodeDiscoverFields, encodeFields } from './check-session.js'
import {
  areSamePeers,
  differsVerdict,
  failVerdict,
  judgeCondition,
  judgeRefusal,
  passVerdict,
  SENTENCES,
  untestedVerdict
} from './verdict.js'

/**
 * @typedef {import('../examination.js').ConformanceCheck} ConformanceCheck
 * @typedef {import('./check-session.js').CheckSession} CheckSession
 */

const UNKNOWN_TYPE = 99
const ENDS_WITHIN_MS = 2000
const MORE_WITHIN_MS = 300
/** Who does what is wrong has a connection of its own. */
const OFFENDER = 'X'
/** Fields that no revision knows. @type {import('./check-session.js').MessageFields} */
const UNKNOWN_FIELDS = [
  [999, 7],
  [1000, 'unknown']
]

/** STREAM_CHECKS are checks of streams, frames and messages. @type {readonly ConformanceCheck[]} */
export const STREAM_CHECKS = [
  {
    id: 'stream-several',
    title: 'several requests, one after the other, are served on one stream',
    needs: [],
    async run(visit) {
      const exchange = await visit.exchange('A')
      const message = encodeDiscoverFields({ ns: visit.ns })
      for (const which of ['first', 'second', 'third']) {
        const { how, says } = await exchange.ask(message)
        if (how !== 'reply')
          return (which === 'first' ? failVerdict : differsVerdict)(`the ${which} was answered by ${says}`)
      }
      return passVerdict()
    }
  },
  {
    id: 'stream-one-reply',
    title: 'a request has one reply',
    needs: [],
    async run(visit) {
      const exchange = await visit.exchange('A')
      const { how, says } = await exchange.ask(encodeDiscoverFields({ ns: visit.ns }))
      if (how !== 'reply') return failVerdict(`answered by ${says}`)
      return judgeCondition((await exchange.answer(MORE_WITHIN_MS)).how !== 'reply', 'there was another one')
    }
  },
  {
    id: 'stream-ahead',
    title: 'requests sent ahead are answered in their order',
    async run(visit) {
      const exchange = await visit.exchange('A')
      const register = await visit.registerMessage('A')
      const messages = [
        encodeDiscoverFields({ ns: visit.ns }),
        register,
        encodeDiscoverFields({ ns: visit.ns })
      ]
      exchange.send(Buffer.concat(messages.map(encodeFrame)))
      const answers = [await exchange.answer(), await exchange.answer(), await exchange.answer()]
      const missing = answers.find(({ how }) => how !== 'reply')
      if (missing !== undefined) return differsVerdict(`not all are answered: ${missing.says}`)
      const [before, , after] = await Promise.all(answers.map(answer => visit.read(answer)))
      const inOrder = answers[1].message?.registerResponse !== undefined
      return judgeCondition(
        inOrder && before.names.length === 0 && areSamePeers(after.names, 'A'),
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
      for (const byte of encodeFrame(encodeDiscoverFields({ ns: visit.ns }))) {
        exchange.send(Uint8Array.of(byte))
        await new Promise(resolve => setImmediate(resolve))
      }
      const { ok, says } = await exchange.answer()
      return judgeCondition(ok, `answered by ${says}`)
    }
  },
  {
    id: 'stream-half-closed',
    title: 'who ends its half of the stream behind a request still gets the reply',
    needs: [],
    async run(visit) {
      const exchange = await visit.exchange('A')
      exchange.send(encodeFrame(encodeDiscoverFields({ ns: visit.ns })))
      await exchange.finish()
      const { ok, says } = await exchange.answer()
      return judgeCondition(ok, `answered by ${says}`)
    }
  },
  {
    id: 'stream-many',
    title: 'streams of one connection are served beside each other',
    needs: [],
    async run(visit) {
      const exchanges = await Promise.all(Array.from({ length: 8 }, () => visit.exchange('A')))
      const message = encodeDiscoverFields({ ns: visit.ns })
      const answers = await Promise.all(exchanges.map(exchange => exchange.ask(message)))
      const missing = answers.find(({ ok }) => !ok)
      return judgeCondition(missing === undefined, `one was answered by ${missing?.says}`)
    }
  },
  {
    id: 'fields-register',
    title: 'fields that are not known are skipped in REGISTER',
    async run(visit) {
      const { ok, says } = await visit.ask('A', await visit.registerMessage('A', {}, UNKNOWN_FIELDS))
      const { names } = await visit.discovered()
      return judgeCondition(ok && areSamePeers(names, 'A'), `answered by ${says}`)
    }
  },
  {
    id: 'fields-discover',
    title: 'fields that are not known are skipped in DISCOVER',
    needs: [],
    async run(visit) {
      const { ok, says } = await visit.ask('A', encodeDiscoverFields({ ns: visit.ns }, UNKNOWN_FIELDS))
      return judgeCondition(ok, `answered by ${says}`)
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
    ({ ns }) => encodeFrame(encodeDiscoverFields({ ns })).subarray(0, -3),
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
 * @param {(visit: CheckSession) => Uint8Array} bytes
 * @param {{ finish?: boolean }} [how] - `finish`: our half of the stream ends behind it
 * @returns {ConformanceCheck}
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
      if (!(await visit.stillServes(OFFENDER))) return failVerdict('others are served no more')
      if (ok) return differsVerdict(`answered by ${says}`)
      return how === 'silent' ? differsVerdict('the stream stays open') : passVerdict(`answered by ${says}`)
    }
  }
}

const CAP = 1000
const FILL_MS = 120_000
/** Who registers a thousand times. */
const GREEDY = 'P'
const OVER = 5

/** LIMIT_CHECKS are checks that fill the target: the first does it, and looks at what the others ask for. @type {readonly ConformanceCheck[]} */
export const LIMIT_CHECKS = [
  {
    id: 'cap-peer',
    title: 'a peer holds 1,000 registrations, and no more',
    sentence: SENTENCES.MAX_PER_PEER,
    needs: ['registration', 'own'],
    limitMs: FILL_MS,
    run: fill
  },
  aside('cap-renewal', 'a peer at its cap can still renew'),
  aside('page-largest', 'a reply holds 1,000 registrations at most', SENTENCES.MAX_PER_QUERY)
]

/** @param {string} id @param {string} title @param {string} [sentence] @returns {ConformanceCheck} */
function aside(id, title, sentence) {
  return {
    id,
    title,
    sentence,
    needs: ['registration', 'own'],
    run: async ({ target }) => target.asides.get(id) ?? untestedVerdict('cap-peer did not come so far')
  }
}

/** @param {CheckSession} visit */
async function fill(visit) {
  const { asides } = visit.target
  const messages = []
  for (let i = 0; i < CAP; i++) messages.push(await visit.registerMessage(GREEDY, { ns: `${visit.ns}-${i}` }))
  const answers = await visit.answers(GREEDY, messages)
  const refused = answers.findIndex(({ ok }) => !ok)
  const more = await visit.register(GREEDY, { ns: `${visit.ns}-more` })
  const renewed = await visit.register(GREEDY, { ns: `${visit.ns}-0` })
  if (refused >= 0 || !more.ok)
    asides.set('cap-renewal', judgeCondition(renewed.ok, `refused by ${renewed.says}`, differsVerdict))
  else asides.set('cap-renewal', untestedVerdict('no cap was met'))
  if (refused >= 0) {
    asides.set('page-largest', untestedVerdict(`only ${refused} registrations of a peer are taken`))
    return differsVerdict(`the ${refused + 1}st is refused by ${answers[refused].says}`)
  }
  for (let i = 0; i < OVER; i++) await visit.registered('A', { ns: `${visit.ns}-${i}` })
  asides.set('page-largest', await largestPage(visit))
  return judgeRefusal(more, ['E_NOT_AUTHORIZED', 'E_UNAVAILABLE'], differsVerdict)
}

/** Of all namespaces: a thousand peers in one would take a thousand connections. @param {CheckSession} visit */
async function largestPage(visit) {
  const { ok, says, registrations } = await visit.read(await visit.ask('D', encodeDiscoverFields({})))
  if (!ok) return differsVerdict(`answered by ${says}`)
  return registrations.length <= CAP ? passVerdict() : differsVerdict(`it held more than ${CAP}`)
}
