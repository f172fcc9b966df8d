import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'

/**
 * @typedef {import('./peer.js').Client} Client
 * @typedef {import('./peer.js').Question} Question
 *
 * @typedef {object} Check - what a client and a server do together
 * @property {string} name
 * @property {unknown} expected - outcome by the specification; peers are told by their numbers
 * @property {(peers: Peers, ns: string) => Promise<unknown>} perform - in a namespace of its own; gives the outcome
 */

const TWO_HOURS = 7200
const OVER_72_HOURS = 72 * 3600 + 1
const SHORT_SECONDS = 2
const LONGEST_NAMESPACE_BYTES = 255
const PAGE_LIMIT = 2
const MAX_PAGES = 6

/** What was taken back or expired is gone within this time, on a busy machine too. */
const GONE_WITHIN_MS = 20_000
const LOOK_EVERY_MS = 200

/** Declined is an answer that is an error: the outcome of a check, wherever in it that comes. */
class Declined extends Error {
  /** @param {string} error @param {string} [text] */
  constructor(error, text) {
    super(`${error}: ${text}`)
    this.error = error
  }
}

/** Peers are the peers of one client program. */
class Peers {
  #client
  #patienceMs

  /** @param {Client} client @param {number} patienceMs */
  constructor(client, patienceMs) {
    this.#client = client
    this.#patienceMs = patienceMs
  }

  /** @param {Question} question */
  async #ask(question) {
    const { error, text, ...answer } = await this.#client.ask(question)
    if (error !== undefined) throw new Declined(error, text)
    return answer
  }

  /** @param {number} as @param {string | undefined} ns @param {number} [ttl] @returns {Promise<number | undefined>} granted */
  async register(as, ns, ttl) {
    return (await this.#ask({ as, op: 'register', ns, ttl })).ttl
  }

  /** @param {number} as @param {string} ns */
  async unregister(as, ns) {
    await this.#ask({ as, op: 'unregister', ns })
  }

  /** @param {number} as @param {{ ns?: string, limit?: number, cookie?: string }} query */
  async page(as, query) {
    const { peers = [], cookie } = await this.#ask({ as, op: 'discover', ...query })
    return { found: await this.#numbersOf(peers), cookie: cookie || undefined }
  }

  /** found are the peers of a namespace, by number. @param {number} as @param {string} [ns] */
  async found(as, ns) {
    return (await this.page(as, { ns })).found
  }

  /** pages asks for page after page until one is empty. @param {number} as @param {string} ns */
  async pages(as, ns) {
    const pages = []
    /** @type {string | undefined} */
    let cookie
    do {
      const page = await this.page(as, { ns, limit: PAGE_LIMIT, cookie })
      pages.push(page.found)
      cookie = page.cookie
    } while (cookie !== undefined && pages.at(-1)?.length !== 0 && pages.length < MAX_PAGES)
    return pages
  }

  /** gone is what is found in the end, when nothing should be. @param {number} as @param {string} ns */
  async gone(as, ns) {
    const untilMs = performance.now() + this.#patienceMs
    for (;;) {
      const found = await this.found(as, ns)
      if (isDeepStrictEqual(found, []) || performance.now() > untilMs) return found
      await sleep(LOOK_EVERY_MS)
    }
  }

  /** @param {string[]} ids @returns {Promise<number[]>} ascending; -1: none of ours */
  async #numbersOf(ids) {
    if (ids.length === 0) return []
    /** @type {Array<string | undefined>} */
    const known = []
    for (const as of EVERYBODY) known.push((await this.#ask({ as, op: 'id' })).peer)
    return ids.map(id => known.indexOf(id)).sort((a, b) => a - b)
  }
}

/** Who asks does not register: some clients do not tell of themselves. */
const ASKER = 5
const EVERYBODY = [0, 1, 2, 3, 4, ASKER]

/** CHECKS are all of them. @type {Readonly<Record<string, Readonly<Check>>>} */
export const CHECKS = Object.freeze({
  register: {
    name: 'a peer registers and is found',
    expected: { ttl: TWO_HOURS, found: [0] },
    perform: async (peers, ns) => ({
      ttl: await peers.register(0, ns, TWO_HOURS),
      found: await peers.found(ASKER, ns)
    })
  },
  defaultTtl: {
    name: 'a peer that names no time to live gets two hours',
    expected: { ttl: TWO_HOURS },
    perform: async (peers, ns) => ({ ttl: await peers.register(0, ns) })
  },
  renewal: {
    name: 'a peer that registers again is found once, with its new time to live',
    expected: { ttl: 2 * TWO_HOURS, found: [0] },
    async perform(peers, ns) {
      await peers.register(0, ns, TWO_HOURS)
      return { ttl: await peers.register(0, ns, 2 * TWO_HOURS), found: await peers.found(ASKER, ns) }
    }
  },
  unregister: {
    name: 'a peer that has unregistered is gone, others stay',
    expected: { before: [0, 1], other: [1], after: [] },
    async perform(peers, ns) {
      for (const as of [0, 1]) await peers.register(as, ns, TWO_HOURS)
      for (const as of [0, 1]) await peers.register(as, `${ns}-other`, TWO_HOURS)
      const before = await peers.found(ASKER, ns)
      for (const as of [0, 1]) await peers.unregister(as, ns)
      await peers.unregister(0, `${ns}-other`)
      const after = await peers.gone(ASKER, ns)
      return { before, other: await peers.found(ASKER, `${ns}-other`), after }
    }
  },
  expiry: {
    name: 'a registration expires',
    expected: { ttl: SHORT_SECONDS, after: [] },
    perform: async (peers, ns) => ({
      ttl: await peers.register(0, ns, SHORT_SECONDS),
      after: await peers.gone(ASKER, ns)
    })
  },
  pages: {
    name: 'pages hold what was asked for, together every peer once',
    expected: { sizes: [2, 2, 1, 0], found: [0, 1, 2, 3, 4] },
    async perform(peers, ns) {
      for (const as of [0, 1, 2, 3, 4]) await peers.register(as, ns, TWO_HOURS)
      const pages = await peers.pages(ASKER, ns)
      return { sizes: pages.map(page => page.length), found: pages.flat().sort() }
    }
  },
  news: {
    name: 'a cookie asks for what is new since',
    expected: { first: [0], following: [1], renewed: [0] },
    async perform(peers, ns) {
      await peers.register(0, ns, TWO_HOURS)
      const first = await peers.page(ASKER, { ns })
      await peers.register(1, ns, TWO_HOURS)
      const following = await peers.page(ASKER, { ns, cookie: first.cookie ?? '' })
      await peers.register(0, ns, TWO_HOURS)
      const renewed = await peers.page(ASKER, { ns, cookie: following.cookie ?? '' })
      return { first: first.found, following: following.found, renewed: renewed.found }
    }
  },
  allNamespaces: {
    name: 'without a namespace, those of all namespaces are found',
    expected: { times: 2 },
    async perform(peers, ns) {
      for (const part of ['a', 'b']) await peers.register(4, `${ns}-${part}`, TWO_HOURS)
      const before = (await peers.found(ASKER)).filter(as => as === 4).length
      for (const part of ['a', 'b']) await peers.unregister(4, `${ns}-${part}`)
      await peers.gone(ASKER, `${ns}-b`)
      const after = (await peers.found(ASKER)).filter(as => as === 4).length
      return { times: before - after }
    }
  },
  longTtl: {
    name: 'a time to live above 72 hours is refused: E_INVALID_TTL',
    expected: { error: 'E_INVALID_TTL' },
    perform: async (peers, ns) => ({ ttl: await peers.register(0, ns, OVER_72_HOURS) })
  },
  longNamespace: {
    name: 'a namespace of 256 bytes is refused: E_INVALID_NAMESPACE',
    expected: { error: 'E_INVALID_NAMESPACE' },
    perform: async (peers, ns) => ({
      ttl: await peers.register(0, ns.padEnd(LONGEST_NAMESPACE_BYTES + 1, 'x'), TWO_HOURS)
    })
  },
  longestNamespace: {
    name: 'a namespace of 255 bytes is taken',
    expected: { ttl: TWO_HOURS },
    perform: async (peers, ns) => ({
      ttl: await peers.register(0, ns.padEnd(LONGEST_NAMESPACE_BYTES, 'x'), TWO_HOURS)
    })
  },
  otherCookie: {
    name: 'a cookie of another namespace is refused: E_INVALID_COOKIE',
    expected: { error: 'E_INVALID_COOKIE' },
    async perform(peers, ns) {
      await peers.register(0, ns, TWO_HOURS)
      const { cookie = '' } = await peers.page(ASKER, { ns })
      return { found: (await peers.page(ASKER, { ns: `${ns}-other`, cookie })).found }
    }
  },
  madeUpCookie: {
    name: 'a cookie that nobody made is refused: E_INVALID_COOKIE',
    expected: { error: 'E_INVALID_COOKIE' },
    async perform(peers, ns) {
      const cookie = Buffer.from('12345678no-cookie').toString('hex')
      return { found: (await peers.page(ASKER, { ns, cookie })).found }
    }
  }
})

/**
 * outcomeOf performs a check.
 *
 * @param {string} key - in CHECKS
 * @param {Client} client
 * @param {{ patienceMs?: number }} [options] - for what should be gone
 * @returns {Promise<{ outcome: unknown, text?: string }>} `text` of an error, for people
 */
export async function outcomeOf(key, client, { patienceMs = GONE_WITHIN_MS } = {}) {
  try {
    return { outcome: await CHECKS[key].perform(new Peers(client, patienceMs), `interop-${key}`) }
  } catch (error) {
    if (error instanceof Declined) return { outcome: { error: error.error }, text: error.message }
    throw error
  }
}
