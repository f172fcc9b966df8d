import { createHash } from 'node:crypto'
import { ClientError, ClientErrorCode } from './errors.js'

/**
 * @typedef {import('../protocol/messages.js').Register} Register
 * @typedef {import('./discovered.js').Rejected} Rejected
 */

/** @param {string} text */
const refusal = text => new ClientError(ClientErrorCode.UNEXPECTED_REPLY, text)

/**
 * PageScreen takes out of the pages of a namespace what does not belong there: registrations beyond the limit that was asked for, those of
 * another namespace or of one that is not UTF-8, and those that were there before.
 */
export class PageScreen {
  #ns
  #limit
  /** @type {Set<string>} */
  #seen = new Set()
  #beyond
  #foreign
  #notUtf8 = refusal('a registration whose namespace is not UTF-8')
  #repeated = refusal('a registration that was given before')

  /** @param {{ ns?: string, limit?: number }} asked - as in the request; without `ns`: all namespaces */
  constructor({ ns = '', limit = Infinity }) {
    this.#ns = ns
    this.#limit = limit
    this.#beyond = refusal(`a registration beyond the limit of ${limit} that was asked for`)
    this.#foreign = refusal(`a registration of another namespace than ${ns}, which was asked for`)
  }

  /**
   * sift tells what of a page belongs there.
   *
   * @param {Register[]} registrations
   * @returns {{ fitting: Register[], rejected: Rejected[] }}
   */
  sift(registrations) {
    /** @type {Register[]} */
    const fitting = []
    /** @type {Rejected[]} */
    const rejected = []
    for (const [place, register] of registrations.entries()) {
      const reason = this.#reasonAgainst(register, place)
      if (reason === null) fitting.push(register)
      else rejected.push({ ns: register.ns || this.#ns, reason })
    }
    return { fitting, rejected }
  }

  /** @param {Register} register @param {number} place */
  #reasonAgainst(register, place) {
    if (place >= this.#limit) return this.#beyond
    if (register.ns?.isWellFormed() === false) return this.#notUtf8
    if (this.#ns !== '' && register.ns && register.ns !== this.#ns) return this.#foreign
    return this.#isNew(register) ? null : this.#repeated
  }

  /** @param {Register} register - with the same record, whatever is left of its time to live */
  #isNew({ ns = '', signedPeerRecord = new Uint8Array() }) {
    const before = this.#seen.size
    this.#seen.add(createHash('sha256').update(`${ns}\0`).update(signedPeerRecord).digest('base64'))
    return this.#seen.size > before
  }
}
