import { CHECKS } from './checks.js'

/**
 * @typedef {object} Departure - where an implementation does not do what the specification, or this project, expects
 * @property {string} who - implementation and role
 * @property {string} why
 * @property {Record<string, unknown>} outcomes - what comes out instead, by the key of a check or `finds <implementation>`
 */

const NO_REPLY = { error: 'NO_REPLY' }
const NOT_SENT = { error: 'REFUSED_BY_CLIENT' }

const OLD_DIALECT =
  'speaks an older dialect: field 2 of REGISTER is id and addresses, not the signed record; status 101 has another name'
const OTHER_DOMAIN =
  'knows records of the domain libp2p-routing-state alone, and one other fails its whole DISCOVER'

/** @param {unknown} outcome */
const everyCheck = outcome => Object.fromEntries(Object.keys(CHECKS).map(key => [key, outcome]))

/** All that are known; the first that fits holds. @type {ReadonlyArray<Readonly<Departure>>} */
const DEPARTURES = Object.freeze([
  {
    who: 'go server',
    why: 'takes 256 bytes; the specification recommends 255 at most',
    outcomes: { longNamespace: { ttl: 7200 } }
  },
  {
    who: 'go client',
    why: 'knows records of the domain libp2p-peer-record alone, and leaves others out',
    outcomes: { 'finds rust': { found: false } }
  },
  {
    who: 'rust server',
    why: 'resets the stream at a request that it cannot decode, without a status',
    outcomes: { longNamespace: NO_REPLY }
  },
  {
    who: 'rust client',
    why: 'counts the bytes of a namespace itself and sends nothing',
    outcomes: { longNamespace: NOT_SENT }
  },
  {
    who: 'rust client',
    why: OTHER_DOMAIN,
    outcomes: Object.fromEntries(
      ['ours', 'go', 'canvas'].map(name => [`finds ${name}`, { error: 'E_UNAVAILABLE' }])
    )
  },
  {
    who: 'canvas client',
    why: 'closes the stream before it has written an UNREGISTER that is the last of its requests',
    outcomes: { unregister: { before: [0, 1], other: [0, 1], after: [0, 1] } }
  },
  {
    who: 'canvas client',
    why: 'sends no cookies',
    outcomes: {
      pages: { sizes: [2], found: [0, 1] },
      news: NOT_SENT,
      otherCookie: NOT_SENT,
      madeUpCookie: NOT_SENT
    }
  },
  {
    who: 'canvas client',
    why: 'takes only registrations of the very namespace it asked for',
    outcomes: { allNamespaces: NO_REPLY }
  },
  {
    who: 'canvas client',
    why: 'knows records of the domain libp2p-peer-record alone, and one other fails its whole DISCOVER',
    outcomes: { 'finds rust': NO_REPLY }
  },
  {
    who: 'python server',
    why: 'takes any cookie for an offset',
    outcomes: { madeUpCookie: { found: [] } }
  },
  { who: 'python server', why: OLD_DIALECT, outcomes: everyCheck({ error: 'E_NOT_AUTHORIZED' }) },
  {
    who: 'python client',
    why: 'checks the bounds of a time to live itself, 120 s to 72 h, and sends nothing',
    outcomes: { expiry: NOT_SENT, longTtl: NOT_SENT }
  },
  {
    who: 'python client',
    why: OLD_DIALECT,
    outcomes: (({ longNamespace, madeUpCookie, ...others }) => others)(
      everyCheck({ error: 'E_INVALID_PEER_INFO' })
    )
  }
])

/**
 * departureOf finds what an implementation does otherwise in a check.
 *
 * @param {string} who
 * @param {string} key - of the check
 * @returns {{ why: string, outcome: unknown } | undefined}
 */
export function departureOf(who, key) {
  const departure = DEPARTURES.find(one => one.who === who && Object.hasOwn(one.outcomes, key))
  return departure && { why: departure.why, outcome: departure.outcomes[key] }
}

/**
 * titleOf names a check, with what is known to come out otherwise.
 *
 * @param {string} name
 * @param {{ why: string }} [departure]
 */
export const titleOf = (name, departure) =>
  departure === undefined ? name : `${name} [departs: ${departure.why}]`
