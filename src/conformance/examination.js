// Runs all conformance checks on a rendezvous server, with the libp2p nodes that they need, and removes the
// registrations afterwards.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once, setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { generateKeyPair } from '@libp2p/crypto/keys'
import { peerIdFromPrivateKey } from '@libp2p/peer-id'
import { multiaddr } from '@multiformats/multiaddr'
import { chooseClientAddress, dial } from '../client/dial.js'
import { ClientErrorCode } from '../client/errors.js'
import { createClientNode } from '../client/node.js'
import { escapeInvisibleInLine } from '../kit/safe-text.js'
import { limitSignal, makeTimeLimit } from '../kit/time.js'
import { RecordDomain } from '../protocol/signed-record.js'
import { CheckSession, encodeDiscoverFields, QUERYING_PEER } from './checks/check-session.js'
import { COOKIE_CHECKS, DISCOVER_CHECKS } from './checks/discover-checks.js'
import { RECORD_CHECKS, REGISTER_CHECKS } from './checks/register-checks.js'
import { LIMIT_CHECKS, STREAM_CHECKS } from './checks/stream-checks.js'
import { failVerdict, judgeCondition, SENTENCES, UntestableError, untestedVerdict } from './checks/verdict.js'

/**
 * @typedef {import('@libp2p/interface').PrivateKey} PrivateKey
 * @typedef {import('@libp2p/interface').Connection} Connection
 *
 * @typedef {object} CheckPeer
 * @property {PrivateKey} privateKey
 * @property {Buffer} id - multihash bytes
 * @property {Awaited<ReturnType<typeof createClientNode>>} node
 * @property {Connection | null} connection
 */

/** Names of peers that are types of keys; all others have Ed25519. js-libp2p has no peers with ECDSA. */
const KEY_TYPES = new Set(['RSA', 'secp256k1'])

/** libp2p servers drop what comes from one host faster than 5 connections a second. */
const RETRIES = 3
const RETRY_AFTER_MS = 1000

/** CheckPeers are those that meet the target, each a libp2p node with a key of this run, made and connected when it is first needed. */
export class CheckPeers {
  #target
  /** @type {Map<string, Promise<CheckPeer>>} */
  #peers = new Map()

  /** @param {string} target - multiaddr */
  constructor(target) {
    this.#target = multiaddr(target)
  }

  /** of is the peer of a name. @param {string} name @returns {Promise<CheckPeer>} */
  of(name) {
    const peer = this.#peers.get(name) ?? this.#start(name, this.#peers.size)
    this.#peers.set(name, peer)
    return peer
  }

  /** @param {string} name @param {number} index @returns {Promise<CheckPeer>} */
  async #start(name, index) {
    const type = /** @type {'Ed25519'} */ (KEY_TYPES.has(name) ? name : 'Ed25519')
    const privateKey = await generateKeyPair(type)
    const localAddress = chooseClientAddress(this.#target, index, process.platform)
    const node = await createClientNode({ privateKey, localAddress })
    await node.start()
    const id = Buffer.from(peerIdFromPrivateKey(privateKey).toMultihash().bytes)
    return { privateKey, id, node, connection: null }
  }

  /**
   * connection is a peer's, opened again where it was lost.
   *
   * @param {string} name
   * @param {AbortSignal} signal
   * @returns {Promise<Connection>}
   * @throws {import('../client/errors.js').ClientError}
   */
  async connection(name, signal) {
    const peer = await this.of(name)
    for (let tries = 1; peer.connection?.status !== 'open'; tries++) {
      try {
        peer.connection = await dial(peer.node, this.#target, { signal, force: true })
      } catch (error) {
        const dropped = /** @type {any} */ (error).code === ClientErrorCode.CONNECTION_DROPPED
        if (!dropped || tries > RETRIES) throw error
        await sleep(RETRY_AFTER_MS, undefined, { signal })
      }
    }
    return peer.connection
  }

  /** nameOf finds a peer by its id. @param {Uint8Array} id - multihash bytes @returns {Promise<string>} */
  async nameOf(id) {
    for (const [name, peer] of this.#peers) if ((await peer).id.equals(id)) return name
    return 'somebody else'
  }

  /** disconnect closes connections. @param {string} [name] - none: of all */
  async disconnect(name) {
    for (const [each, starting] of this.#peers) {
      if (name !== undefined && name !== each) continue
      const peer = await starting
      if (name === undefined) peer.connection?.abort(new Error('the target starts again'))
      else await peer.connection?.close()
      peer.connection = null
    }
  }

  async stop() {
    for (const starting of this.#peers.values()) {
      const peer = await starting.catch(() => null)
      await peer?.node.stop()
    }
  }
}

/**
 * @typedef {'registration' | 'own' | 'restart'} CheckNeed - `registration`: that the target takes any; `own`: leave to send what is broken, to
 *   fill it; `restart`: a way to start it again
 *
 * @typedef {object} ConformanceCheck
 * @property {string} id
 * @property {string} title - what is expected
 * @property {string} [sentence] - of the specification that it stands for; none: beyond it
 * @property {readonly CheckNeed[]} [needs] - default a registration
 * @property {number} [limitMs] - it takes at most
 * @property {(visit: import('./checks/check-session.js').CheckSession) => Promise<import('./checks/verdict.js').ConformanceVerdict>} run
 *
 * @typedef {{ title: string, checks: readonly ConformanceCheck[] }} CheckGroup
 */

/** @type {ConformanceCheck} */
const PROTOCOL = {
  id: 'protocol',
  title: 'the target speaks /rendezvous/1.0.0',
  sentence: SENTENCES.PROTOCOL,
  needs: [],
  async run(visit) {
    const { how, says } = await visit.discover()
    return judgeCondition(how === 'reply', `DISCOVER was answered by ${says}`)
  }
}

/** CHECK_GROUPS are all checks, in the order in which they are made. @type {readonly CheckGroup[]} */
export const CHECK_GROUPS = [
  { title: 'Registrations', checks: [PROTOCOL, ...REGISTER_CHECKS] },
  { title: 'Discovery', checks: DISCOVER_CHECKS },
  { title: 'Cookies', checks: COOKIE_CHECKS },
  { title: 'Records', checks: RECORD_CHECKS },
  { title: 'Streams and messages', checks: STREAM_CHECKS },
  { title: 'Limits', checks: LIMIT_CHECKS }
]

/**
 * @typedef {import('./checks/verdict.js').ConformanceVerdict} ConformanceVerdict
 *
 * @typedef {object} CheckOutcome - of a check
 * @property {string} id
 * @property {string} group
 * @property {string} title
 * @property {string | null} sentence - null: beyond the specification
 * @property {string} verdict - one of VERDICTS
 * @property {string} found
 * @property {number} ms - it took
 *
 * @typedef {object} ExamineOptions
 * @property {boolean} [own] - broken frames may be sent, the target may be filled
 * @property {((signal: AbortSignal) => Promise<void>) | null} [restart] - starts the target again, at its address
 * @property {AbortSignal} [signal] - ends the examination: what is left is not tested
 * @property {readonly CheckGroup[]} [groups]
 *
 * @typedef {{ type: 'check', outcome: CheckOutcome } | { type: 'end', left: number | null }} ExaminationEvent - `left`: registrations that could not be
 *   taken back; null: that could not be found out
 */

const CONNECT_MS = 20_000
const CHECK_MS = 30_000
const ALIVE_MS = 5000
const LEAVE_MS = 30_000
const MAX_OUTCOME_LENGTH = 300

/**
 * examineServer checks a rendezvous server against the specification, check after check, and removes what it registered.
 *
 * @param {string} address - multiaddr of the target
 * @param {ExamineOptions} [options]
 * @returns {AsyncGenerator<ExaminationEvent, void, void>}
 * @throws {import('../client/errors.js').ClientError} when the target cannot be reached
 */
export async function* examineServer(address, options = {}) {
  const { groups = CHECK_GROUPS, signal = new AbortController().signal } = options
  setMaxListeners(0, signal)
  const peers = new CheckPeers(address)
  const run = randomBytes(6).toString('hex')
  /** @type {number | null} */
  let left = 0
  let unresponsive = false
  /** @param {string} id @param {number} ms */
  const visitOf = (id, ms) => new CheckSession(target, `conform-${run}-${id}`, limited(signal, ms))
  /** @param {CheckSession} visit */
  const leave = async visit => {
    const there = await visit.leave(limited(null, LEAVE_MS)).catch(() => null)
    left = there === null || left === null ? null : left + there
  }
  /** @type {import('./checks/check-session.js').CheckTarget} */
  const target = {
    peers,
    domain: RecordDomain.PEER_RECORD,
    several: false,
    restart: options.restart ?? null,
    asides: new Map()
  }
  try {
    await peers.connection(QUERYING_PEER, limited(signal, CONNECT_MS))
    const first = visitOf('first', CHECK_MS)
    const obstacles = await explore(target, first, options).catch(({ message }) => ({
      ...{ registration: message, own: message, restart: message }
    }))
    await leave(first)
    for (const group of groups)
      for (const check of group.checks) {
        const startedMs = performance.now()
        const visit = visitOf(check.id, check.limitMs ?? CHECK_MS)
        const verdict = signal.aborted
          ? untestedVerdict('interrupted')
          : unresponsive
            ? untestedVerdict('the target no longer answers')
            : await judge(check, visit, { obstacles, stopped: signal })
        // a target that stands still would take the limit of each check that follows
        if (visit.signal.aborted && !unresponsive) {
          const alive = visitOf('alive', ALIVE_MS)
          const answer = await Promise.race([alive.discover(), overdue(alive.signal)]).catch(() => null)
          unresponsive = answer?.how !== 'reply'
        }
        await leave(visit)
        const { id, title, sentence = null } = check
        yield {
          type: 'check',
          outcome: {
            ...{ id, group: group.title, title, sentence, verdict: verdict.verdict },
            // the target may have had a say in it
            found: escapeInvisibleInLine(verdict.found).slice(0, MAX_OUTCOME_LENGTH),
            ms: performance.now() - startedMs
          }
        }
      }
    yield { type: 'end', left }
  } finally {
    await peers.stop()
  }
}

/** @param {AbortSignal | null} signal @param {number} ms */
function limited(signal, ms) {
  const both = signal === null ? makeTimeLimit(ms) : limitSignal(signal, ms)
  setMaxListeners(0, both)
  return both
}

/**
 * Finds out what checks need to know of the target, and why some of them cannot be made.
 *
 * @param {import('./checks/check-session.js').CheckTarget} target
 * @param {CheckSession} visit
 * @param {ExamineOptions} options
 * @returns {Promise<Partial<Record<CheckNeed, string>>>}
 */
async function explore(target, visit, { own = false, restart = null }) {
  const exchange = await visit.exchange(QUERYING_PEER)
  await exchange.ask(encodeDiscoverFields({ ns: visit.ns }))
  target.several = (await exchange.ask(encodeDiscoverFields({ ns: visit.ns }))).how === 'reply'
  const domains = Object.values(RecordDomain)
  /** @type {string | null} why no registration is taken */
  let refused = null
  for (const domain of domains) {
    target.domain = domain
    const { ok, says } = await visit.register('A')
    if (ok) {
      refused = null
      break
    }
    refused ??= says
  }
  if (refused !== null) target.domain = RecordDomain.PEER_RECORD
  return {
    ...(refused !== null && { registration: `no registration is taken: ${refused}` }),
    ...(!own && { own: 'needs --iOwnTheTarget' }),
    ...(restart === null && { restart: "needs --restart '<command>'" })
  }
}

/**
 * @param {ConformanceCheck} check
 * @param {CheckSession} visit
 * @param {{ obstacles: Partial<Record<CheckNeed, string>>, stopped: AbortSignal }} how
 * @returns {Promise<ConformanceVerdict>}
 */
async function judge({ needs = ['registration'], run, limitMs = CHECK_MS }, visit, { obstacles, stopped }) {
  const obstacle = needs.map(need => obstacles[need]).find(why => why !== undefined)
  if (obstacle !== undefined) return untestedVerdict(obstacle)
  try {
    await visit.target.peers.connection(QUERYING_PEER, visit.signal)
  } catch {
    return untestedVerdict(stopped.aborted ? 'interrupted' : 'the target can no longer be reached')
  }
  try {
    return await Promise.race([run(visit), overdue(visit.signal)])
  } catch (error) {
    if (stopped.aborted) return untestedVerdict('interrupted')
    if (error instanceof UntestableError) return untestedVerdict(error.message)
    if (visit.signal.aborted) return failVerdict(`it did not end within ${limitMs / 1000} s`)
    return failVerdict(/** @type {Error} */ (error).message)
  }
}

/** @param {AbortSignal} signal @returns {Promise<never>} */
const overdue = signal =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))

/**
 * makeRestart makes of a command for the shell what starts the target again.
 *
 * @param {string} command - ends when the target is on its way; what it leaves running is its own
 * @returns {(signal: AbortSignal) => Promise<void>} throws an UntestableError when the command fails
 */
export const makeRestart = command => async signal => {
  const child = spawn(command, { shell: true, stdio: 'ignore', signal, killSignal: 'SIGKILL' })
  // not `close`: a server that it starts in the background may hold on to it
  const [code, killed] = await once(child, 'exit')
  if (code !== 0) throw new UntestableError(`--restart ended with ${code ?? killed}`)
}
