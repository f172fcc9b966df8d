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
  #held = new Map()
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
    this.#held.set(namespace, { number, expiresMs: null })
    return namespace
  }

  /** unused takes back a fresh one that was not sent: the next one is it again. @param {string} namespace */
  unused(namespace) {
    const number = this.#held.get(namespace)?.number ?? null
    if (number === null) return
    this.#held.delete(namespace)
    this.#unused.push(number)
  }

  /**
   * confirm notes that the server said OK to the registration in a namespace, unless that was given up meanwhile.
   *
   * @param {string} namespace
   * @param {number} expiresMs - when its time to live is over, on a clock of the caller's
   */
  confirm(namespace, expiresMs) {
    const entry = this.#held.get(namespace)
    if (entry !== undefined) entry.expiresMs = expiresMs
  }

  /**
   * confirmed are the registrations that the server must hold, by what it said.
   *
   * @returns {{ numbers: Uint32Array, expireMs: Float64Array }} the client's k-th registration, and when it is over
   */
  confirmed() {
    const sure = [...this.#held.values()].filter(
      ({ number, expiresMs }) => number !== null && expiresMs !== null
    )
    return {
      numbers: Uint32Array.from(sure, ({ number }) => Number(number)),
      expireMs: Float64Array.from(sure, ({ expiresMs }) => Number(expiresMs))
    }
  }

  /** @returns {string | undefined} one that is held, without giving it up */
  any() {
    return this.#held.keys().next().value
  }

  /** next gives those that are held one after the other, without giving them up. @returns {string | undefined} */
  next() {
    const all = this.#held.size
    return all < 2 ? this.any() : [...this.#held.keys()][this.#turn++ % all]
  }

  /** release gives up the oldest one held, to unregister it. @returns {string | undefined} */
  release() {
    const namespace = this.any()
    if (namespace === undefined) return undefined
    this.#leaving.set(namespace, this.#held.get(namespace)?.number ?? null)
    this.#held.delete(namespace)
    return namespace
  }

  /** gone notes that the server has removed a released one. @param {string} namespace @param {boolean} again - it can be registered again */
  gone(namespace, again) {
    const number = this.#leaving.get(namespace) ?? null
    this.#leaving.delete(namespace)
    if (again && number !== null) this.#unused.push(number)
  }

  /** hold takes back a released one: nobody knows whether the server heard of it. @param {string} namespace */
  hold(namespace) {
    this.#leaving.delete(namespace)
    this.#held.set(namespace, { number: null, expiresMs: null })
  }

  /** all are the namespaces held. @returns {string[]} */
  all() {
    return [...this.#held.keys()]
  }

  /** releaseAll gives up everything; the next fresh namespace is the first again. @returns {string[]} */
  releaseAll() {
    const all = this.all()
    this.#held.clear()
    this.#leaving.clear()
    this.owed = 0
    this.#next = 0
    this.#unused = []
    return all
  }

  /** held is how many registrations the client has. */
  get held() {
    return this.#held.size
  }

  /** used is how many different namespaces were given out since everything was released. */
  get used() {
    return this.#next
  }
}

/**
 * clientNamespaces names the namespaces of one client's registrations: first the plan's, beginning with another one for each
 * client, then extra ones that the clients share.
 *
 * @param {import('../plan/namespaces.js').Namespaces} namespaces
 * @param {number} nNamespaces
 * @param {number} client - its index
 * @param {{ all: number, own: readonly number[] }} [topics] - of a full peer: how many of the namespaces are topics, the first, and in which
 *   of them it is. It registers in these before any other
 * @returns {(k: number) => string}
 */
export const clientNamespaces = (namespaces, nNamespaces, client, { all, own } = { all: 0, own: [] }) => {
  const others = nNamespaces - all
  return k => {
    if (k < own.length) return namespaces.planned(own[k])
    const i = k - own.length
    return i < others ? namespaces.planned(all + ((client + i) % others)) : namespaces.extra(i - others)
  }
}
