// The verdicts of a conformance check: pass, fail, different, untested. Also the sentences of the rendezvous
// specification that the checks refer to.
import { Status } from '../../protocol/rendezvous.js'

/**
 * @typedef {object} ConformanceVerdict - what became of a check
 * @property {string} verdict - one of VERDICTS
 * @property {string} found - what the target did, or why nothing was tried; may be empty where it passed
 */

/** VERDICT_SIGNS there are, with their signs on a terminal. */
export const VERDICT_SIGNS = { pass: '✔', fail: '✘', differs: '≠', 'not tested': '–' }

/** @param {string} verdict @returns {(found?: string) => ConformanceVerdict} */
const verdictOf =
  verdict =>
  (found = '') => ({ verdict, found })

/** passVerdict: as the specification has it. */
export const passVerdict = verdictOf('pass')
/** failVerdict: against the specification, or the target answers no more. */
export const failVerdict = verdictOf('fail')
/** differsVerdict: otherwise than recommended, or than most do, which the specification allows. */
export const differsVerdict = verdictOf('differs')
/** untestedVerdict: it could not be tried. */
export const untestedVerdict = verdictOf('not tested')

/** UntestableError is thrown where what a check needs first did not come about. */
export class UntestableError extends Error {
  name = 'Untestable'
}

/**
 * judgeRefusal judges what should have been refused.
 *
 * @param {import('./check-session.js').CheckAnswer} answer
 * @param {(keyof typeof Status)[]} expected - statuses that the specification has for it; with another one, or a stream that ends
 *   without any, it differs
 * @param {(found: string) => ConformanceVerdict} [accepted] - when it is not refused
 * @returns {ConformanceVerdict}
 */
export function judgeRefusal(answer, expected, accepted = failVerdict) {
  if (answer.ok) return accepted(`accepted: ${answer.says}`)
  if (answer.how === 'silent') return failVerdict(`answered by ${answer.says}`)
  const fits = answer.status !== undefined && expected.some(name => Status[name] === answer.status)
  return (fits ? passVerdict : differsVerdict)(`refused by ${answer.says}`)
}

/** @param {boolean} fits @param {string} found @param {(found: string) => ConformanceVerdict} [otherwise] */
export const judgeCondition = (fits, found, otherwise = failVerdict) =>
  fits ? passVerdict() : otherwise(found)

const MAX_NAMED = 10

/** formatPeers names peers, in the order of their names. @param {readonly string[]} names */
export function formatPeers(names) {
  if (names.length === 0) return 'nobody'
  const first = names.toSorted().slice(0, MAX_NAMED).join(', ')
  return names.length > MAX_NAMED ? `${first}, …` : first
}

/** areSamePeers says whether the same are named as often. @param {readonly string[]} names @param {string} expected - joined by spaces */
export const areSamePeers = (names, expected) => [...names].sort().join(' ') === expected

/** SPECIFICATION is what checks are held against. */
export const SPECIFICATION = {
  title: 'libp2p rendezvous, r3 of 2021-07-12',
  url: 'https://github.com/libp2p/specs/blob/master/rendezvous/README.md'
}

/**
 * SENTENCES holds the sentences of the specification that checks stand for. Those in brackets are in substance what revision 3 added
 * (libp2p/specs#348); lines of code are of its protobuf.
 */
export const SENTENCES = {
  PROTOCOL: 'The rendezvous protocol runs over libp2p streams using the protocol id `/rendezvous/1.0.0`.',
  ONLY_ITSELF:
    'It is not allowed to register arbitrary peers in a namespace; only the peer initiating the registration can register itself.',
  RECORD:
    'The register message contains a serialized signed peer record created by the peer, which can be validated by others.',
  QUERY:
    'The query specifies the namespace for limiting application scope and optionally a maximum number of peers to return.',
  ALL: 'The namespace can be omitted in the query, which asks for all peers registered to the rendezvous point.',
  COOKIE:
    "The query can also include a cookie, obtained from the response to a previous query, such that only registrations that weren't included in the previous response will be returned.",
  PAGES:
    'It also allows for pagination of query responses, so that large numbers of peer registrations can be managed.',
  RESPONDS: 'The rendezvous point responds with the list of current peer registrations and a cookie.',
  PERSISTS: 'If a TTL is specified, then the registration persists until the TTL expires.',
  DEFAULT_TTL: 'If no TTL was specified, then a default of 2hrs is implied.',
  INADMISSIBLE:
    'If the TTL of a registration is inadmissible, the rendezvous point may reject the registration with an `E_INVALID_TTL` status.',
  REFRESH:
    'Peers can refresh their registrations at any time with a new `REGISTER` message; the TTL of the new message supersedes previous registrations.',
  CANCEL: 'Peers can also cancel existing registrations at any time with an explicit `UNREGISTER` message.',
  NO_RESPONSE: '(`UNREGISTER` has no response.)',
  NO_OP: '(`UNREGISTER` for a namespace that the peer is not registered for is a no-op.)',
  NO_ID: '(Field 2 of `UNREGISTER`, `id`, is deprecated: a peer unregisters itself.)',
  ACTUAL_TTL:
    'The registration response includes the actual TTL of the registration, so that peers know when to refresh.',
  MIN_TTL: 'Rendezvous points should have a minimum acceptable ttl of `2H`.',
  MAX_TTL: 'Rendezvous points should have a maximum acceptable ttl of `72H`.',
  MAX_NAMESPACE: 'Rendezvous points should have a maximum namespace length of `255`.',
  MAX_PER_PEER: 'Rendezvous points are recommended to allow a maximum of `1000` registrations for each peer.',
  MAX_PER_QUERY: 'A maximum of `1000` peers should be returned per namespace query.',
  NAMESPACE: '`optional string ns = 1;`',
  TTL: '`optional uint64 ttl = 3; // in seconds`',
  LIMIT: '`optional uint64 limit = 2;`',
  BAD_NAMESPACE: '`E_INVALID_NAMESPACE = 100;`',
  BAD_RECORD: '`E_INVALID_SIGNED_PEER_RECORD = 101;`',
  BAD_COOKIE: '`E_INVALID_COOKIE = 103;`'
}
