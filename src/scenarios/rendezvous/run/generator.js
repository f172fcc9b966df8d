import { CLIENT_REASONS } from '../../../client/node.js'
import { SettingsReader } from '../../../libp2p/node-settings.js'
import { Deadlines } from '../../../load/deadlines.js'
import { Pacer } from '../../../load/pacer.js'
import { reportWhile } from '../../../measure/hand-over.js'
import { Meter } from '../../../measure/meter.js'
import { OwnMemoryWatch } from '../../../measure/own-memory.js'
import { Turns } from '../../../measure/turns.js'
import { generatorUsage } from '../../../workers/generator-usage.js'

/** @typedef {import('../../../measure/meter.js').Interval} Interval */

/** Generator is what a process has that generates load: it paces, measures, limits and reports. */
export class Generator {
  #memory = new OwnMemoryWatch()
  #report
  meter = new Meter()
  /** settings of the nodes of this process. */
  settings = new SettingsReader(CLIENT_REASONS)

  /**
   * @param {{ plan: { timeoutMs: number }, precise: boolean }} setup - `precise`: a core is free for pacing without sleeping
   * @param {(interval: any) => Promise<unknown>} report - resolves when it was received
   */
  constructor({ plan, precise }, report) {
    this.#report = report
    this.turns = new Turns({ onTurn: ns => this.meter.record('turn', '', '', ns) })
    this.deadlines = new Deadlines(plan.timeoutMs)
    this.pacer = new Pacer({ precise, turns: this.turns })
  }

  /**
   * run measures work from a moment on, and reports intervals with how busy the process was in each.
   *
   * @param {bigint} startNs
   * @param {() => Promise<bigint>} work - gives when its last operation had ended
   * @param {() => object} [more] - what each interval says besides
   * @returns {Promise<{ beganNs: bigint, endNs: bigint }>}
   */
  async run(startNs, work, more = () => ({})) {
    await this.pacer.until(startNs)
    const beganNs = process.hrtime.bigint()
    this.meter.discard()
    const usage = generatorUsage(this.pacer, this.#memory)
    const report = (/** @type {Interval} */ interval) =>
      this.#report({ ...interval, usage: usage(), ...more() })
    const endNs = await reportWhile({ meter: this.meter, startNs, report }, work)
    return { beganNs, endNs }
  }

  stop() {
    this.deadlines.stop()
    this.#memory.stop()
  }
}
