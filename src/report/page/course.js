import { spell } from '../../kit/numbers.js'
import { overTime } from '../description/series.js'
import { table } from '../description/tables.js'

/**
 * @typedef {import('../description/description.js').Description} Description
 * @typedef {import('../description/description.js').Plot} Plot
 * @typedef {import('./parts.js').Statement} Statement
 * @typedef {Record<string, any> & { type: string, run: string }} Line - as of --jsonLines
 * @typedef {{ at: number, rate: number | null, p50: number | null, p99: number | null, cpu: number | null, memory: number | null }} Point
 */

const MAX_POINTS = 300

const X = 'Time since the run began, s'

/** @type {[id: string, title: string, y: string, series: Exclude<keyof Point, 'at'>[]][]} */
const PLOTS = [
  ['rate', 'Rate', 'Per second', ['rate']],
  ['times', 'Response times of the last moments', 'Time, ms', ['p50', 'p99']],
  ['cpu', 'CPU of what is measured', 'CPU, % of a core', ['cpu']],
  ['memory', 'Memory of what is measured', 'Memory, MB', ['memory']]
]

/** A list that grows all the time stays short: of its older half every other item goes. @param {Point[]} points */
const thinned = points =>
  points.length <= MAX_POINTS ? points : points.filter((_, i) => i >= MAX_POINTS / 2 || i % 2 === 0)

/** Course is what is known of a run while it goes on, from the lines of --jsonLines. */
export class Course {
  #began = 0
  /** @type {{ name: string, title: string, fromMs: number, toMs: number | null, detail: string }[]} */
  #phases = []
  /** @type {Line | null} */
  #progress = null
  /** @type {Point[]} */
  #points = []
  /** @type {Line} */
  #start
  /** @type {Line | undefined} the latest figures */
  #sample
  /** @type {Line | undefined} */
  #end
  /** @type {string[]} */
  #warnings = []
  /** @type {Description | undefined} */
  #described

  /** @param {Line} line - the first */
  constructor(line) {
    this.#start = line
    this.#began = Date.parse(line.at)
  }

  get label() {
    return this.#start.label ?? this.#start.run
  }

  get place() {
    const { index, total } = this.#start
    return index === undefined ? '' : `run ${index}${total === undefined ? '' : ` of ${total}`}`
  }

  get isOver() {
    return this.#end !== undefined
  }

  /** describe takes the description of the result so far. @param {Description} description */
  describe(description) {
    this.#described = description
  }

  /** forget keeps no more of a run of a study that has ended than its state. */
  forget() {
    Object.assign(this.#start, { plan: undefined })
    this.#points = []
    this.#sample = this.#described = undefined
  }

  /** @param {Line} line */
  add(line) {
    if (line.type === 'start') this.#start = line
    else if (line.type === 'phase') this.#addPhase(line)
    else if (line.type === 'progress') this.#addProgress(line)
    else if (line.type === 'sample') this.#sample = line
    else if (line.type === 'warning') this.#warnings.push(line.message)
    else if (line.type === 'end') {
      this.#sample = this.#end = line
      this.#progress = null
    }
  }

  /** @param {Line} line */
  #addPhase({ phase: name, title = name, state, atMs, detail = '' }) {
    const open = this.#phases.find(each => each.name === name && each.toMs === null)
    if (state === 'begin' || open === undefined)
      this.#phases.push({ name, title, fromMs: atMs, toMs: state === 'begin' ? null : atMs, detail })
    else Object.assign(open, { toMs: atMs, detail })
    this.#progress = null
  }

  /** @param {Line} line */
  #addProgress(line) {
    this.#progress = line
    const { ratePerSecond: rate = null, p50Ms: p50 = null, p99Ms: p99 = null, cpuPercent: cpu = null } = line
    const memory = line.rssBytes == null ? null : line.rssBytes / 1e6
    if ([rate, p50, p99, cpu, memory].every(value => value === null)) return
    this.#points = thinned([
      ...this.#points,
      { at: (Date.parse(line.at) - this.#began) / 1000, rate, p50, p99, cpu, memory }
    ])
  }

  /** state says in a few words how far it is. @returns {Statement} */
  state() {
    if (this.#end?.status === 'complete') return { tone: 'good', text: 'Complete.' }
    if (this.#end !== undefined)
      return { tone: 'bad', text: `Partial: ${this.#end.reason?.message ?? 'the run did not end'}.` }
    const title = this.#phases.findLast(({ toMs }) => toMs === null)?.title ?? 'starting'
    if (this.#progress === null) return { tone: 'good', text: `Running: ${title}.` }
    const { done, total, unit, etaMs } = this.#progress
    const written = (/** @type {number} */ n) => (unit === 'ms' ? spell(n) : `${Math.round(n)} ${unit}`)
    return {
      tone: 'good',
      text: `Running: ${title}, ${written(done)}${total == null ? '' : ` of ${written(total)}`}${etaMs == null ? '' : `, ${spell(etaMs)} left`}.`
    }
  }

  /** statements are on how far it is, its thresholds and where its result is. @returns {Statement[]} */
  statements() {
    /** @type {{ text: string, passed: boolean }[]} */
    const thresholds = this.#sample?.thresholds ?? []
    const says = (/** @type {string} */ text, isGood = true) =>
      /** @type {Statement} */ ({ tone: isGood ? 'good' : 'bad', text })
    return [
      this.state(),
      ...thresholds.map(({ text, passed }) => says(`${text} ${passed ? 'holds' : 'does not hold'}`, passed)),
      ...(this.#end?.folder ? [says(`The result is in ${this.#end.folder}.`)] : [])
    ]
  }

  when() {
    return `${this.#start.scenario ?? ''} · since ${new Date(this.#began).toISOString().slice(11, 19)} UTC`
  }

  /** @returns {Plot[]} */
  #plots() {
    const hasMain = this.#described?.plots.some(({ main }) => main)
    return PLOTS.flatMap(([id, title, y, keys]) => {
      const known = this.#points.filter(point => keys.some(key => point[key] !== null))
      const values = Object.fromEntries(
        keys.map(key => [key === 'cpu' ? 'CPU' : key, (/** @type {Point} */ point) => point[key]])
      )
      const plot = { id: `live-${id}`, title, kind: /** @type {const} */ ('lines'), x: X, y }
      const main = id === 'rate' && !hasMain && { main: true }
      return known.length === 0 ? [] : { ...plot, ...main, series: overTime(known, values, ({ at }) => at) }
    })
  }

  /** @returns {Description['tiles']} */
  #tiles() {
    const latest = (/** @type {Exclude<keyof Point, 'at'>} */ key) =>
      this.#points.findLast(point => point[key] !== null)?.[key] ?? null
    return [
      ['Rate', latest('rate'), 'perSecond'],
      ['p50', latest('p50'), 'ms'],
      ['p99', latest('p99'), 'ms'],
      ['CPU', latest('cpu'), 'percent']
    ]
  }

  /** description is the description of the result so far, with the course of the run. @returns {Description} */
  description() {
    /** @type {Record<string, any>} */
    const { figures = {}, atLeast = [] } = this.#sample ?? {}
    const { units = {}, says = '' } = this.#start
    const tables = [
      table('live-phases', 'Phases', this.#phases, [
        ['Phase', ({ title }) => title, 'text'],
        ['Took', ({ fromMs, toMs }) => (toMs === null ? 'running' : spell(toMs - fromMs)), 'text'],
        ['Detail', ({ detail }) => detail || null, 'text']
      ]),
      table('live-figures', 'Figures so far', Object.entries(figures), [
        ['Figure', ([name]) => name, 'text'],
        ['Value', ([name, value]) => (atLeast.includes(name) ? { atLeast: value } : value), 'number'],
        ['Unit', ([name]) => units[name] ?? null, 'text']
      ])
    ].filter(({ rows }) => rows.length > 0)
    const described = this.#described
    if (described !== undefined)
      return {
        ...described,
        tables: [...described.tables, ...tables],
        plots: [...described.plots, ...(this.isOver ? [] : this.#plots())]
      }
    return {
      title: this.label,
      headline: says,
      tiles: this.#points.length === 0 ? [] : this.#tiles(),
      tables,
      plots: this.#plots(),
      warnings: this.#warnings.map(text => ({ code: 'WARNING', text }))
    }
  }
}
