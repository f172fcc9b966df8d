import { IdPool } from './id-pool.js'
import { OrderList } from './order-list.js'

/**
 * @typedef {import('./column.js').Column} Column
 *
 * @typedef {object} Namespace
 * @property {number} id
 * @property {string} name
 * @property {OrderList} order - its registrations
 */

/** Namespaces holds the namespaces that have registrations. */
export class Namespaces {
  #seqs
  #ids = new IdPool()
  /** @type {Map<string, Namespace>} */
  #byName = new Map()
  /** @type {Array<Namespace | undefined>} */
  #byId = []

  /** @param {Column} seqs - sequence number of each registration */
  constructor(seqs) {
    this.#seqs = seqs
  }

  get size() {
    return this.#byName.size
  }

  /** find is the namespace of that name, if it has registrations. @param {string} name */
  find(name) {
    return this.#byName.get(name)
  }

  /** get is the namespace of that number. @param {number} id @returns {Namespace} */
  get(id) {
    return /** @type {Namespace} */ (this.#byId[id])
  }

  /** append puts a registration last in a namespace, which comes into being by that. */
  append(/** @type {string} */ name, /** @type {number} */ registration) {
    const namespace = this.#byName.get(name) ?? this.#add(name)
    namespace.order.append(registration)
    return namespace
  }

  /** remove takes a registration out; with the last one its namespace goes. */
  remove(/** @type {number} */ id, /** @type {number} */ registration) {
    const { name, order } = this.get(id)
    order.remove(registration)
    if (order.size > 0) return
    this.#byName.delete(name)
    this.#byId[id] = undefined
    this.#ids.release(id)
  }

  /** @param {string} name */
  #add(name) {
    const namespace = { id: this.#ids.take(), name, order: new OrderList(this.#seqs) }
    this.#byName.set(name, namespace)
    this.#byId[namespace.id] = namespace
    return namespace
  }
}
