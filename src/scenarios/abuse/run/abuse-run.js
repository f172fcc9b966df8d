import { significant } from '../../../kit/numbers.js'
import { documentAround, Run } from '../../run.js'
import { casesOf } from '../plan/cases.js'
import { AbuseDocument } from './abuse-document.js'
import { AbuseParts } from './abuse-parts.js'
import { Stretches } from './stretches.js'

/**
 * @typedef {import('../../../result/types.js').Record_} Record_
 * @typedef {import('../plan/cases.js').Case} Case
 */

const PACKAGES = ['libp2p', '@libp2p/noise', '@libp2p/yamux']

/** Above this share that hostile peers did not send, an abuse was less than its name says. */
const MOST_NOT_SENT = 0.1

/**
 * AbuseRun is one run: each kind of abuse with a server, honest clients and hostile peers of its own, so that none finds what another one
 * has left.
 *
 * @extends {Run<import('../../run.js').RunDocument>}
 */
export class AbuseRun extends Run {
  #plan
  #id
  #measured
  /** @type {AbuseParts | undefined} */
  #parts
  #stretchesDone = 0

  /**
   * @param {import('../abuse-plan.js').AbusePlan} plan
   * @param {import('../../scenario.js').RunOptions} options
   * @param {(record: Record_) => void} emit
   */
  constructor(plan, { id, signal }, emit) {
    const measured = new AbuseDocument(plan)
    super({
      emit,
      signal,
      documentOf: documentAround({ id, plan, packages: PACKAGES }, header => ({
        ...header.ending(),
        scenario: 'abuse',
        plan,
        outcome: measured.outcome(),
        run: header.run([], [], measured.parts.server?.versions)
      }))
    })
    this.#plan = plan
    this.#id = id
    this.#measured = measured
  }

  /** all takes one case after the other. What the machine does is watched meanwhile; processes come and go. */
  all() {
    const own = { name: 'main process', pid: () => process.pid }
    return this.document.header.watching([own], async () => {
      for (const which of casesOf(this.#plan)) await this.#case(which)
    })
  }

  /** @param {Case} which */
  async #case(which) {
    const parts = new AbuseParts(this.#plan, {
      id: this.#id,
      onDied: error => this.trouble.raise(error),
      onProgress: ({ done, total, unit }) => this.log.progress({ phase: 'setup', done, total, unit })
    })
    this.#parts = parts
    await this.phases.guarded('setup', async () => {
      await parts.start(which)
      this.#measured.parts = parts
      return which.name
    })
    const stretches = new Stretches(parts, this.#plan)
    if (this.#plan.warmupMs > 0) await this.phases.guarded('warmup', () => stretches.warmUp())
    await this.phases.guarded('measure', () => this.#pairs(which, stretches))
    await parts.stop({ failed: false })
  }

  completed() {
    this.document.header.completed()
  }

  /** @param {Case} which @param {Stretches} stretches */
  async #pairs(which, stretches) {
    const { pairs } = this.#plan
    const total = 2 * pairs * casesOf(this.#plan).length
    this.#measured.begin(which)
    const beganMs = performance.now()
    for (let index = 0; index < pairs; index++) {
      this.#measured.add(await stretches.pair(index))
      this.#measured.measuredMs += 2 * this.#plan.stretchMs
      this.#stretchesDone += 2
      const leftMs = ((performance.now() - beganMs) / (index + 1)) * (total / 2 - this.#stretchesDone / 2)
      this.log.progress({
        phase: 'measure',
        done: this.#stretchesDone,
        total,
        unit: 'stretches',
        etaMs: leftMs
      })
      this.phases.emitPartial()
    }
    return this.#told(which)
  }

  /** @param {Case} which @returns {string} */
  #told({ name }) {
    const { p50, p99, notSent } = this.#measured.latest
    if (notSent > MOST_NOT_SENT) this.log.warn('ABUSE_NOT_SENT', { name, percent: 100 * notSent })
    const ratio = p99 ?? p50
    return ratio === null
      ? name
      : `${name}: honest ${p99 === null ? 'p50' : 'p99'} × ${significant(ratio.ratio)}`
  }

  async teardown() {
    const parts = this.#parts
    if (parts === undefined) return
    await this.log.phase('teardown', () =>
      this.endAll([() => parts.stop({ failed: !this.document.header.complete })])
    )
  }
}
