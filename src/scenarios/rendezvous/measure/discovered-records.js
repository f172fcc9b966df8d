/**
 * @typedef {import('./churn.js').ReplyEvent} ReplyEvent
 * @typedef {import('../churn-schema.js').Discovered} Discovered
 *
 * @typedef {object} Known - of registrations and peers at the time of a reply
 * @property {(node: number) => boolean} isDead
 * @property {(node: number, ns: number) => number | null} registeredNs - when the registration was last renewed
 */

/**
 * DiscoveredRecords counts what replies to DISCOVER held: how much of it was stale, and how much the discoverer had been given before.
 */
export class DiscoveredRecords {
  #namespaces
  #known
  /** When each discoverer was last given a registration. @type {Map<number, Map<number, number>>} by discoverer, by key */
  #given = new Map()
  #counts = {
    replies: 0,
    withDuplicates: { records: 0, stale: 0 },
    withoutDuplicates: { records: 0, stale: 0 },
    duplicates: { inOneReply: 0, again: 0, renewed: 0 },
    own: 0,
    unknown: 0
  }

  /** @param {number} namespaces @param {Known} known */
  constructor(namespaces, known) {
    this.#namespaces = namespaces
    this.#known = known
  }

  /** reply takes a reply. @param {ReplyEvent} reply */
  reply({ node: discoverer, ns, peers, unknown, atNs }) {
    const counts = this.#counts
    counts.replies++
    counts.unknown += unknown
    const given = this.#given.get(discoverer) ?? new Map()
    this.#given.set(discoverer, given)
    const inThis = new Set()
    for (const node of peers) {
      if (node === discoverer) {
        counts.own++
        continue
      }
      const isFirst = this.#look(node, { key: node * this.#namespaces + ns, ns, given, inThis, atNs })
      const stale = this.#known.isDead(node) ? 1 : 0
      counts.withDuplicates.records++
      counts.withDuplicates.stale += stale
      if (!isFirst) continue
      counts.withoutDuplicates.records++
      counts.withoutDuplicates.stale += stale
    }
  }

  /**
   * @param {number} node
   * @param {{ key: number, ns: number, given: Map<number, number>, inThis: Set<number>, atNs: number }} reply
   * @returns {boolean} whether the discoverer is given it for the first time
   */
  #look(node, { key, ns, given, inThis, atNs }) {
    const { duplicates } = this.#counts
    const lastNs = given.get(key)
    given.set(key, atNs)
    if (inThis.has(key)) {
      duplicates.inOneReply++
      return false
    }
    inThis.add(key)
    if (lastNs === undefined) return true
    const registeredNs = this.#known.registeredNs(node, ns)
    if (registeredNs !== null && registeredNs > lastNs) duplicates.renewed++
    else duplicates.again++
    return false
  }

  /** forget what a discoverer was given: it was killed. @param {number} discoverer */
  forget(discoverer) {
    this.#given.delete(discoverer)
  }

  /** @returns {Discovered} */
  result() {
    return structuredClone(this.#counts)
  }
}
