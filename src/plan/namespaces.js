/**
 * Namespaces names every namespace of a run. A target that is not ours gets names that no other run has, so that runs never meet.
 */
export class Namespaces {
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

/** registrantNamespaces says where each registrant is registered. @param {Pick<import('./plan.js').Plan, 'nNamespaces'>} plan @param {Namespaces} namespaces */
export const registrantNamespaces =
  ({ nNamespaces }, namespaces) =>
  (/** @type {number} */ index) =>
    namespaces.planned(index % nNamespaces)
