import { outcomeOf } from '../../../client/outcome-of.js'
import { openSignedRecord } from '../../../protocol/signed-record.js'
import { Status, statusName } from '../../../protocol/status.js'

/**
 * @typedef {import('../../../protocol/messages.js').Message} Message
 * @typedef {import('../../../protocol/messages.js').Register} Register
 */

/** Of so many DISCOVER replies the signatures are checked, after the measurement, */
const SAMPLED_REPLIES = 20
/** for no longer than this. */
const CHECKED_FOR_MS = 5000

/**
 * ReplyChecks judges replies: a status other than OK, a reply of the wrong kind, or DISCOVER replies with too few or too many
 * registrations are no success, however fast they came.
 */
export class ReplyChecks {
  #limit
  #expected
  #random
  #clock
  #untilMs = Infinity
  #seen = 0
  /** @type {Register[][]} */
  #sampled = []
  /** @type {Map<string, number>} */
  #failures = new Map()

  /**
   * @param {object} options
   * @param {number} options.limit - the plan's discoverLimit
   * @param {number | null} options.expected - registrations that every reply must hold at least; null: not known
   * @param {() => number} options.random
   * @param {() => number} [options.clock] - ms, monotonic
   */
  constructor({ limit, expected, random, clock = () => performance.now() }) {
    this.#clock = clock
    this.#limit = limit
    this.#expected = expected
    this.#random = random
  }

  /**
   * @param {import('../../../load/mix.js').MixedType} type
   * @param {Message} message
   * @returns {string} outcome
   */
  outcomeOfReply(type, message) {
    const response = type === 'REGISTER' ? message.registerResponse : message.discoverResponse
    if (response == null) return this.#bad(`${type} was answered with another kind of message`)
    if (response.status !== Status.OK) return statusName(response.status)
    if (type === 'DISCOVER') return this.#outcomeOfPage(message.discoverResponse?.registrations ?? [])
    return 'OK'
  }

  /** @param {unknown} error @returns {string} outcome */
  outcomeOf(error) {
    const outcome = outcomeOf(error)
    if (outcome === 'BAD_REPLY') this.#bad(/** @type {Error} */ (error).message)
    return outcome
  }

  /** unasked counts a reply that no request waits for. */
  unasked() {
    this.#bad('another reply to a request that has had its own')
  }

  /** pagesFailed notes why a namespace could not be read page by page. @param {unknown} error */
  pagesFailed(error) {
    this.#bad(`page by page: ${/** @type {Error} */ (error).message}`)
  }

  /** @param {Register[]} registrations */
  #outcomeOfPage(registrations) {
    const found = registrations.length
    if (found > this.#limit) return this.#bad(`more registrations than the limit of ${this.#limit}`)
    if (this.#expected != null && found < this.#expected)
      return this.#bad(`fewer registrations than the ${this.#expected} there are`)
    this.#sample(registrations)
    return 'OK'
  }

  /** Keeps a uniform sample of all replies (reservoir sampling, Vitter's algorithm R). @param {Register[]} registrations */
  #sample(registrations) {
    if (registrations.length === 0) return
    const slot = this.#seen < SAMPLED_REPLIES ? this.#seen : Math.floor(this.#random() * (this.#seen + 1))
    this.#seen++
    if (slot < SAMPLED_REPLIES) this.#sampled[slot] = registrations
  }

  /** @param {string} detail */
  #bad(detail) {
    this.#failures.set(detail, (this.#failures.get(detail) ?? 0) + 1)
    return 'BAD_REPLY'
  }

  /**
   * finish checks the sampled replies, as far as there is time, and gives what was wrong with any reply.
   *
   * @returns {Promise<{ detail: string, count: number }[]>}
   */
  async finish() {
    for (const registrations of this.#sampled) await this.#checkSample(registrations)
    this.#sampled = []
    return [...this.#failures].map(([detail, count]) => ({ detail, count }))
  }

  /** beginAnew forgets what was seen. */
  beginAnew() {
    this.#sampled = []
    this.#failures.clear()
    this.#seen = 0
    this.#untilMs = Infinity
  }

  /**
   * checkPages judges all pages of a namespace that nobody registers in meanwhile.
   *
   * @param {Register[]} registrations
   */
  async checkPages(registrations) {
    await this.#checkSample(registrations, 'over the pages of a namespace')
  }

  /** Time begins with the first check. */
  #timeIsOver() {
    this.#untilMs = Math.min(this.#untilMs, this.#clock() + CHECKED_FOR_MS)
    return this.#clock() >= this.#untilMs
  }

  /** @param {Register[]} registrations @param {string} [where] */
  async #checkSample(registrations, where = 'in one reply') {
    const peers = []
    for (const { signedPeerRecord } of registrations) {
      if (this.#timeIsOver()) break
      try {
        const { peerId } = await openSignedRecord(signedPeerRecord ?? new Uint8Array())
        peers.push(Buffer.from(peerId).toString('hex'))
      } catch {
        this.#bad('a registration without a valid signed peer record')
      }
    }
    if (new Set(peers).size < peers.length) this.#bad(`the same peer more than once ${where}`)
  }
}
