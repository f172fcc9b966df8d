import { documentAround, Run } from '../../run.js'
import { Sides } from './sides.js'

/**
 * @typedef {import('../transfer-plan.js').TransferPlan} TransferPlan
 *
 * @typedef {object} Measured - what was measured so far
 * @property {readonly string[]} packages - whose version can change what is measured
 * @property {(joined: import('./sides.js').RoundFigures[], header: import('../../run-header.js').RunHeader) => { outcome: object, warnings: import('../../../result/types.js').Warning[] }} result
 */

/**
 * SidesRun is one run with the sides it has started.
 *
 * @extends {Run<import('../../run.js').RunDocument>}
 */
export class SidesRun extends Run {
  #fleet

  /**
   * @param {TransferPlan} plan
   * @param {import('../../scenario.js').RunOptions} options
   * @param {{ emit: (record: import('../../../result/types.js').Record_) => void, measured: Measured }} more
   */
  constructor(plan, { id, signal, fleet }, { emit, measured }) {
    super({
      emit,
      signal,
      documentOf: documentAround({ id, plan, packages: measured.packages }, header => {
        const { outcome, warnings } = measured.result(this.sides.rounds.figures, header)
        return { ...header.ending(), scenario: 'transfer', plan, outcome, run: header.run([], warnings) }
      })
    })
    this.plan = plan
    this.sides = new Sides(plan, error => this.trouble.raise(error), fleet)
    this.#fleet = fleet
    this.document.header.fleet = fleet
  }

  /** @override */
  begin() {
    super.begin()
    // what does not reach a side ends a run
    this.#fleet?.watch({
      onBusLost: error => this.trouble.raise(error),
      onLost: ({ error }) => this.trouble.raise(error)
    })
  }

  /** setup starts the sides. @param {string} [detail] */
  setup(detail) {
    return this.phases.guarded('setup', async () => {
      await this.sides.start()
      return detail
    })
  }

  /** measured keeps what is known of the links and the machines, when all was measured. */
  async measured() {
    await this.sides.rounds.over()
    await this.#fleet?.settle()
    this.document.header.completed()
  }

  teardown() {
    return this.log.phase('teardown', async () => {
      await this.sides.stop({ failed: !this.document.header.complete })
      await this.ended()
      return {}
    })
  }

  /** ended closes what else was open. */
  async ended() {}
}
