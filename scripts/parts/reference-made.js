import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { leanResults } from './lean-result.js'

/** All but pages, which say what reports say, the reports of a study's runs, and sampled profiles. */
const USUAL = /^(?!(.*\/)?report\.html$|.*\/report\.md$|.*\.(cpu|heap)profile$)/

/** Of large entries, the report alone. */
const REPORT = /^report\.md$/

/** What is committed of a row, where it is not as usual. @type {Readonly<Record<string, RegExp>>} */
const KEPT = {
  'discover-limits': REPORT,
  'gossip-defaults': REPORT,
  'gossip-simulated': REPORT,
  'saturate-search': REPORT,
  'whole-card': REPORT
}

/**
 * @typedef {object} Made - when committed results were made; `made.json` beside them
 * @property {string} since - ISO 8601: what was made before is to be made again
 * @property {Record<string, { at: string, commit: string | null }>} rows - by name
 */

/** ReferenceMade are the committed results of a checkout: which of them are of the present round, and new ones in place of old ones. */
export class ReferenceMade {
  #reference

  /** @param {string} reference - their folder */
  constructor(reference) {
    this.#reference = reference
  }

  /** @param {string} name - of a row @returns {string | null} when it was made, ISO 8601; null: never */
  at(name) {
    return this.#read().rows[name]?.at ?? null
  }

  /** isDone: it was made in this round. @param {string} name */
  isDone(name) {
    const at = this.at(name)
    return at !== null && at >= this.#read().since
  }

  /** begin begins a round: everything is to be made again. @param {string} nowIso */
  begin(nowIso) {
    this.#write({ ...this.#read(), since: nowIso })
  }

  /** forget deletes the table of a bench, which would otherwise resume from the last round. @param {string} name */
  forget(name) {
    for (const type of ['json', 'md']) rmSync(join(this.#reference, `${name}.${type}`), { force: true })
    const { since, rows } = this.#read()
    delete rows[name]
    this.#write({ since, rows })
  }

  /** note records when an entry was made. @param {string} name @param {{ at: string, commit: string | null }} made */
  note(name, made) {
    const { since, rows } = this.#read()
    this.#write({ since, rows: { ...rows, [name]: made } })
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
    const kept = KEPT[name] ?? USUAL
    rmSync(place, { recursive: true, force: true })
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      const inside = relative(folder, path)
      if (entry.isFile() && kept.test(inside)) cpSync(path, join(place, inside))
    }
    leanResults(this.#reference, name)
    this.note(name, { at, commit })
  }

  get #file() {
    return join(this.#reference, 'made.json')
  }

  /** Anew each time: a row takes hours, and others may be made beside it. @returns {Made} */
  #read() {
    return JSON.parse(readFileSync(this.#file, 'utf8'))
  }

  /** @param {Made} made */
  #write({ since, rows: unsorted }) {
    const names = Object.keys(unsorted).sort()
    const rows = Object.fromEntries(names.map(name => [name, unsorted[name]]))
    writeFileSync(this.#file, `${JSON.stringify({ since, rows }, null, 2)}\n`)
  }
}
