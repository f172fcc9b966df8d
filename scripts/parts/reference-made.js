import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { leanResults } from './lean-result.js'

/** What is committed of a row where its runs are too large for that; of all others everything is. @type {Readonly<Record<string, RegExp>>} */
const KEPT = {
  'gossip-10000': /^report\.md$/,
  'gossip-namespaces': /^report\.md$/,
  'gossip-rendezvous': /^report\.md$/,
  gossip: /^report\.(md|html)$/,
  'matrix-process-runs': /^[\w-]+\.(md|html)$/,
  'matrix-docker-runs': /^[\w-]+\.(md|html)$/,
  'saturate-gossip': /^saturate\.md$/,
  'saturate-gossip-simulated': /^(saturate\.md|report\.html)$/,
  'saturate-search': /^(saturate\.md|report\.html)$/,
  'transfer-500mb': /^(?!.*\/result\.json$)/,
  'transfer-default': /^(?!.*\/result\.json$)/,
  'validation-cases': /^[\w-]+\/validation\.md$/
}

/**
 * @typedef {object} Made - when committed results were made; `made.json` beside them
 * @property {string} since - ISO 8601: what was made before is to be made again
 * @property {Record<string, { at: string, commit: string | null }>} rows - by name
 */

/** ReferenceMade are the committed results of a checkout: which of them are of the present round, and new ones in place of old ones. */
export class ReferenceMade {
  #reference
  /** @type {Made} */
  #made

  /** @param {string} reference - their folder */
  constructor(reference) {
    this.#reference = reference
    this.#made = JSON.parse(readFileSync(this.#file, 'utf8'))
  }

  /** @param {string} name - of a row @returns {string | null} when it was made, ISO 8601; null: never */
  at(name) {
    return this.#made.rows[name]?.at ?? null
  }

  /** isDone: it was made in this round. @param {string} name */
  isDone(name) {
    const at = this.at(name)
    return at !== null && at >= this.#made.since
  }

  /** begin begins a round: everything is to be made again. @param {string} nowIso */
  begin(nowIso) {
    this.#made.since = nowIso
    this.#write()
  }

  /**
   * take puts what a row made in place of what is committed of it.
   *
   * @param {string} name
   * @param {object} made
   * @param {string} made.folder - of the run or study
   * @param {string} made.at - ISO 8601
   * @param {string | null} made.commit - of the code that made it
   */
  take(name, { folder, at, commit }) {
    const place = join(this.#reference, name)
    const kept = KEPT[name]
    rmSync(place, { recursive: true, force: true })
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      const inside = relative(folder, path)
      if (entry.isFile() && (kept === undefined || kept.test(inside))) cpSync(path, join(place, inside))
    }
    leanResults(this.#reference, name)
    this.#made.rows[name] = { at, commit }
    this.#write()
  }

  get #file() {
    return join(this.#reference, 'made.json')
  }

  #write() {
    const names = Object.keys(this.#made.rows).sort()
    const rows = Object.fromEntries(names.map(name => [name, this.#made.rows[name]]))
    writeFileSync(this.#file, `${JSON.stringify({ since: this.#made.since, rows }, null, 2)}\n`)
  }
}
