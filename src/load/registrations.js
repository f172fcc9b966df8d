// Chooses the type and namespace of each operation of a rendezvous client, and remembers in which namespaces each client
// is registered.

/**
 * @typedef {'REGISTER' | 'DISCOVER' | 'UNREGISTER' | 'PUBLISH'} MixedType
 *
 * @typedef {object} OperationTypes - what one client does
 * @property {number} operations - Infinity: as many as come
 * @property {() => MixedType} next
 * @property {number} removals - how many registrations there must be to remove; a mix removes those that it makes
 */

/**
 * makeOperationTypes chooses the types of a client's operations.
 *
 * @param {Pick<import('../scenarios/rendezvous/options.js').Plan, 'benchmarkType' | 'mix'>} plan - or what one client of it sends
 * @param {number} operations - Infinity: as many as come
 * @param {() => number} random - uniform in [0, 1)
 * @returns {OperationTypes}
 */
export function makeOperationTypes({ benchmarkType, mix }, operations, random) {
  if (benchmarkType !== 'MIXED' || mix == null) {
    const type = /** @type {MixedType} */ (benchmarkType)
    return { operations, next: () => type, removals: type === 'UNREGISTER' ? operations : 0 }
  }
  return { operations, next: () => draw(mix, random()), removals: 0 }
}

/**
 * @param {{ register: number, discover: number, publish?: number }} mix
 * @param {number} share - uniform in [0, 1)
 * @returns {MixedType}
 */
function draw({ register, discover, publish = 0 }, share) {
  if (share < register) return 'REGISTER'
  if (share < register + discover) return 'DISCOVER'
  return share < register + discover + publish ? 'PUBLISH' : 'UNREGISTER'
}

/**
 * RegistrationLedger keeps which namespaces one client is registered in, so that each `new` REGISTER makes a pair of peer
 * and namespace that is not yet there, each UNREGISTER removes one that is, and everything can be unregistered.
 */
export class RegistrationLedger {
  #namespaceOf
  #next = 0
  /** @type {number[]} numbers that were given out and not sent */
  #unused = []
  /** @type {Map<string, { number: number | null, expiresMs: number | null }>} in the order of registration */
  #registered = new Map()
  /** @type {Map<string, number | null>} numbers of those that are being unregistered */
  #leaving = new Map()
  /** Which of those that are held is refreshed next. */
  #turn = 0
  /** How many UNREGISTERs found nothing to remove, and wait for a REGISTER. */
  owed = 0

  /** @param {(k: number) => string} namespaceOf - the namespace of a client's k-th registration, distinct for each k */
  constructor(namespaceOf) {
    this.#namespaceOf = namespaceOf
  }

  /** fresh gives a namespace to register in; from now on it counts as held, for nobody knows whether a lost reply meant OK. */
  fresh() {
    const number = this.#unused.shift() ?? this.#next++
    const namespace = this.#namespaceOf(number)
    this.#registered.set(namespace, { number, expiresMs: null })
    return namespace
  }

  /** unused takes back a fresh one that was not sent: the next one is it again. @param {string} namespace */
  unused(namespace) {
    const number = this.#registered.get(namespace)?.number ?? null
    if (number === null) return
    this.#registered.delete(namespace)
    this.#unused.push(number)
  }

  /**
   * confirm notes that the server said OK to the registration in a namespace, unless that was given up meanwhile.
   *
   * @param {string} namespace
   * @param {number} expiresMs - when its time to live is over, on a clock of the caller's
   */
  confirm(namespace, expiresMs) {
    const entry = this.#registered.get(namespace)
    if (entry !== undefined) entry.expiresMs = expiresMs
  }

  /**
   * confirmed are the registrations that the server must hold, by what it said.
   *
   * @returns {{ numbers: Uint32Array, expireMs: Float64Array }} the client's k-th registration, and when it is over
   */
  confirmed() {
    const sure = [...this.#registered.values()].filter(
      ({ number, expiresMs }) => number !== null && expiresMs !== null
    )
    return {
      numbers: Uint32Array.from(sure, ({ number }) => Number(number)),
      expireMs: Float64Array.from(sure, ({ expiresMs }) => Number(expiresMs))
    }
  }

  /** @returns {string | undefined} one that is held, without giving it up */
  any() {
    return this.#registered.keys().next().value
  }

  /** next gives those that are held one after the other, without giving them up. @returns {string | undefined} */
  next() {
    const all = this.#registered.size
    return all < 2 ? this.any() : [...this.#registered.keys()][this.#turn++ % all]
  }

  /** release gives up the oldest one held, to unregister it. @returns {string | undefined} */
  release() {
    const namespace = this.any()
    if (namespace === undefined) return undefined
    this.#leaving.set(namespace, this.#registered.get(namespace)?.number ?? null)
    this.#registered.delete(namespace)
    return namespace
  }

  /** markRemoved notes that the server has removed a released one. @param {string} namespace @param {boolean} again - it can be registered again */
  markRemoved(namespace, again) {
    const number = this.#leaving.get(namespace) ?? null
    this.#leaving.delete(namespace)
    if (again && number !== null) this.#unused.push(number)
  }

  /** hold takes back a released one: nobody knows whether the server heard of it. @param {string} namespace */
  hold(namespace) {
    this.#leaving.delete(namespace)
    this.#registered.set(namespace, { number: null, expiresMs: null })
  }

  /** all are the namespaces held. @returns {string[]} */
  all() {
    return [...this.#registered.keys()]
  }

  /** releaseAll gives up everything; the next fresh namespace is the first again. @returns {string[]} */
  releaseAll() {
    const all = this.all()
    this.#registered.clear()
    this.#leaving.clear()
    this.owed = 0
    this.#next = 0
    this.#unused = []
    return all
  }

  /** size is how many registrations the client has. */
  get size() {
    return this.#registered.size
  }

  /** used is how many different namespaces were given out since everything was released. */
  get used() {
    return this.#next
  }
}

/**
 * makeClientNamespaces names the namespaces of one client's registrations: first the plan's, beginning with another one for each
 * client, then extra ones that the clients share.
 *
 * @param {RunNamespaces} namespaces
 * @param {number} nNamespaces
 * @param {number} client - its index
 * @param {{ all: number, own: readonly number[] }} [topics] - of a full peer: how many of the namespaces are topics, the first, and in which
 *   of them it is. It registers in these before any other
 * @returns {(k: number) => string}
 */
export const makeClientNamespaces = (namespaces, nNamespaces, client, { all, own } = { all: 0, own: [] }) => {
  const others = nNamespaces - all
  return k => {
    if (k < own.length) return namespaces.planned(own[k])
    const i = k - own.length
    return i < others ? namespaces.planned(all + ((client + i) % others)) : namespaces.extra(i - others)
  }
}

/**
 * RunNamespaces names every namespace of a run. A target that is not ours gets names that no other run has, so that runs never meet.
 */
export class RunNamespaces {
  #prefix

  /** @param {string} runId */
  constructor(runId) {
    this.#prefix = `loadtest-${runId}`
  }

  /** one of the plan's nNamespaces. @param {number} index */
  planned = index => `${this.#prefix}-${index}`

  /**
   * extra is for registrations beyond nNamespaces of one client: a client is one peer, and a peer can be registered only
   * once in a namespace.
   *
   * @param {number} index
   */
  extra = index => `${this.#prefix}-extra-${index}`

  /** sight is for a registration whose first sight is measured. @param {number} index */
  sight = index => `${this.#prefix}-sight-${index}`

  /** inexistent is never registered in. @param {number} index */
  inexistent = index => `${this.#prefix}-inexistent-${index}`
}

/** makeRegistrantNamespaces says where each registrant is registered. @param {Pick<import('../scenarios/rendezvous/options.js').Plan, 'nNamespaces'>} plan @param {RunNamespaces} namespaces */
export const makeRegistrantNamespaces =
  ({ nNamespaces }, namespaces) =>
  (/** @type {number} */ index) =>
    namespaces.planned(index % nNamespaces)

/** Outcomes without a reply: their time is only known to be longer than what was waited. */
const CENSORED = new Set([
  ...['TIMEOUT', 'RESET', 'LOST', 'SERVER_GONE', 'ABANDONED', 'REFUSED'],
  ...['FAILED', 'LOCAL_PORTS_EXHAUSTED', 'DROPPED', 'INTERRUPTED']
])

/** isCensored says whether an operation with this outcome got no reply. @param {string} outcome */
export const isCensored = outcome => CENSORED.has(outcome)

/** MAX_LOOK_UP_MS: the look-up ends here; namespaces that were not read to their end by then are left out. */
export const MAX_LOOK_UP_MS = 10_000

/** LOOK_UP_TIMEOUT_TEXT is the problem of a look-up that the target answered, but not to the end. */
export const LOOK_UP_TIMEOUT_TEXT = `there was not enough time in ${MAX_LOOK_UP_MS / 1000} s`
