/**
 * @typedef {import('../../../result/types.js').Warning} Warning
 * @typedef {import('./gossip-pool.js').GossipPool} GossipPool
 * @typedef {ConstructorParameters<typeof import('./gossip-measurement.js').GossipMeasurement>[0]} Measured
 *
 * @typedef {object} Companion - what goes on with the workers while messages are published, such as profiles and churn
 * @property {(pool: GossipPool) => Promise<void>} start
 * @property {(startNs: number) => void} [begin] - publishing begins at that moment
 * @property {{ all: number[][], publishing: number[][] }} [subscriptions] - of nodes that are started later too, and of those that publish;
 *   default: nobody is started later, and all nodes publish
 * @property {(stretch: Pick<Measured, 'startNs' | 'planned'>) => Pick<Measured, 'isThere' | 'lens'>} [measurement] - what deliveries are
 *   looked at with
 * @property {() => Promise<void>} stop
 * @property {() => object} outcome - what it adds to that of the run
 * @property {(ofRun: Warning[]) => Warning[]} warnings - those of the run, as they hold with it
 */

/** NO_COMPANION does nothing. @type {Readonly<Companion>} */
export const NO_COMPANION = {
  start: async () => {},
  stop: async () => {},
  outcome: () => ({}),
  warnings: ofRun => ofRun
}
