import { isPeerId } from '@libp2p/interface'
import { isMultiaddr } from '@multiformats/multiaddr'
import {
  BYTES,
  MILLISECONDS,
  optionProblems,
  SIGNAL,
  shown,
  wholeNumber,
  YES_OR_NO
} from '../kit/option-kinds.js'
import { problemWords } from '../kit/problem-words.js'
import { RecordDomain } from '../protocol/signed-record.js'
import { ClientError, ClientErrorCode } from './errors.js'

/** @typedef {import('../kit/option-kinds.js').OptionKind} OptionKind */

const COUNT = wholeNumber(1)
const BOUND = wholeNumber(1, { endless: true })

const domains = Object.values(RecordDomain)

/** @type {Readonly<Record<string, OptionKind>>} */
const INIT = {
  recordDomain: {
    allowed: `must be ${domains.join(' or ')}`,
    fits: value => domains.includes(value)
  },
  timeoutMs: MILLISECONDS,
  unregisterWaitMs: MILLISECONDS,
  maxReplyBytes: COUNT
}

const UNREGISTER = { signal: SIGNAL }
const REGISTER = { ttlSeconds: wholeNumber(0, { unit: 'seconds' }), signal: SIGNAL }

/** @type {OptionKind} */
const NAMESPACE = {
  allowed: 'must be a string, without lone surrogates: they cannot be written in UTF-8',
  fits: value => typeof value === 'string' && value.isWellFormed()
}

const QUERY = { ns: NAMESPACE, verify: YES_OR_NO, signal: SIGNAL }
const DISCOVER = { ...QUERY, limit: COUNT, cookie: BYTES }
const DISCOVER_ALL = {
  ...QUERY,
  pageLimit: COUNT,
  maxPages: BOUND,
  maxRegistrations: BOUND,
  maxBytes: BOUND,
  maxMs: MILLISECONDS
}

/** The options of each call, and of making a client. */
const OPTIONS = {
  rendezvousClient: INIT,
  register: REGISTER,
  unregister: UNREGISTER,
  discover: DISCOVER,
  discoverAll: DISCOVER_ALL
}

/**
 * checkArguments looks at what a program gives to a call, before anything is done.
 *
 * @param {keyof typeof OPTIONS} call
 * @param {unknown} options
 * @param {{ server?: unknown, ns?: unknown }} [more] - arguments before the options, where the call has them
 * @throws {ClientError} BAD_ARGUMENT
 */
export function checkArguments(call, options, more = {}) {
  const { server, ns } = more
  const problems = optionProblems(options, OPTIONS[call])
  if ('server' in more && !isMultiaddr(server) && !isPeerId(server))
    problems.unshift({ flag: 'server', value: shown(server), allowed: SERVER })
  if ('ns' in more && !NAMESPACE.fits(ns))
    problems.push({ flag: 'ns', value: shown(ns), allowed: NAMESPACE.allowed })
  if (problems.length > 0)
    throw new ClientError(ClientErrorCode.BAD_ARGUMENT, `${call}: ${problemWords(problems)}`)
}

const SERVER = "must be a Multiaddr or a PeerId, such as multiaddr('/ip4/127.0.0.1/tcp/8000/p2p/12D3KooW…')"
