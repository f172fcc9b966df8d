import { MISSING_REASONS, missingReason } from './missing-reason.js'

/** @typedef {import('./missing-reason.js').MissingReason} MissingReason */

/** LISTED_PAIRS: more would make a result that nobody opens. Counts are of all. */
const LISTED_PAIRS = 1000

/** MissingPairs collects the deliveries that did not come. */
export class MissingPairs {
  #pairs = 0
  #byReason = /** @type {Record<MissingReason, number>} */ (
    Object.fromEntries(MISSING_REASONS.map(reason => [reason, 0]))
  )
  /** @type {import('./delivery-result.js').Missing['listed']} */
  #listed = []

  /**
   * addMessage takes the deliveries of a message that did not come.
   *
   * @param {number} number
   * @param {import('./open-message.js').OpenMessage} message - published, at the end of the run
   * @param {object} known
   * @param {readonly number[]} known.receivers - subscribers of its topic
   * @param {import('./evidence.js').EvidenceIndex} known.evidence
   */
  addMessage(number, message, { receivers, evidence }) {
    const { topic, publisher, publishedUs, received } = message
    const facts = {
      message: number,
      publisher,
      topic,
      publishedNs: publishedUs * 1000,
      lastNs: (received > 0 ? message.lastUs() : publishedUs) * 1000,
      had: (/** @type {number} */ node) => node === publisher || message.has(node)
    }
    for (const node of receivers) {
      if (!facts.had(node)) this.#add(number, node, topic, missingReason({ ...facts, node }, evidence))
    }
  }

  /** @param {number} message @param {number} node @param {number} topic @param {MissingReason} reason */
  #add(message, node, topic, reason) {
    this.#pairs++
    this.#byReason[reason]++
    if (this.#listed.length < LISTED_PAIRS) this.#listed.push({ message, node, topic, reason })
  }

  /** @returns {import('./delivery-result.js').Missing} */
  result() {
    return {
      pairs: this.#pairs,
      byReason: { ...this.#byReason },
      listed: [...this.#listed],
      listedAll: this.#listed.length === this.#pairs
    }
  }
}
