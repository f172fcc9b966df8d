import pLimit from 'p-limit'
import { knock, openDoor } from './door.js'

/** Connections that are tried at once. */
const KNOCKS_AT_ONCE = 128
/** Nobody has more neighbours. */
const MOST_DIALS = 2048

/** Doorway is where an agent tries, before a run, who reaches whom. */
export class Doorway {
  #address
  #name
  /** @type {import('./door.js').Door | null} */
  #door = null

  /** @param {{ address: string, name: string }} of - the agent's machine, and what it calls itself */
  constructor({ address, name }) {
    this.#address = address
    this.#name = name
  }

  /** open opens its door, for those who know the word. @param {string} word @returns {Promise<{ port: number }>} */
  async open(word) {
    this.shut()
    this.#door = await openDoor(this.#address, word)
    return { port: this.#door.port }
  }

  /**
   * knock tries others.
   *
   * @param {readonly Pick<import('./try-paths.js').Dial, 'to' | 'word'>[]} dials
   * @param {(to: string) => void} admit - throws for what the owner of the machine does not allow
   * @returns {Promise<{ found: (string | null)[] }>} what is in the way of each
   */
  async knock(dials, admit) {
    if (dials.length > MOST_DIALS) throw new Error(`at most ${MOST_DIALS} connections are tried`)
    for (const { to } of dials) admit(to)
    const limit = pLimit(KNOCKS_AT_ONCE)
    const found = await Promise.all(
      dials.map(({ to, word }) =>
        limit(() => knock(placeIn(to), word === null ? null : { word, name: this.#name }))
      )
    )
    return { found }
  }

  /** shut shuts its door. */
  shut() {
    this.#door?.close()
    this.#door = null
  }
}

/** @param {string} to */
function placeIn(to) {
  const [, , host, protocol, port] = to.split('/')
  if (protocol !== 'tcp' || !/^\d+$/.test(port ?? '')) throw new Error(`${to} names no port of TCP`)
  return { host, port: Number(port) }
}
