/**
 * @typedef {import('./types.js').Record_} Record_
 * @typedef {import('./types.js').Result} Result
 * @typedef {import('./gossip-types.js').AnyResult} AnyResult
 * @typedef {import('./gossip-types.js').GossipOutcome} GossipOutcome
 *
 * @typedef {object} Bulk - the large parts of an outcome that only plots over time need
 * @property {(outcome: any) => object} seconds - one for each second: the largest
 * @property {(outcome: any) => object} series - of resources and the like
 */

/** @type {Bulk} */
const GOSSIP = {
  seconds: () => ({ perSecond: [] }),
  series: (/** @type {GossipOutcome} */ { mesh, resources }) => ({
    timeline: [],
    mesh: { ...mesh, series: [] },
    resources: resources.map(worker => ({ ...worker, series: [] }))
  })
}

/** @type {Bulk} */
const RENDEZVOUS = {
  seconds: () => ({ perSecond: [] }),
  series: (/** @type {Result['outcome']} */ { server }) => ({
    server: server === null ? null : { ...server, series: [] }
  })
}

/** @type {Bulk} */
const ROTATING_PEERS = {
  ...RENDEZVOUS,
  series: (/** @type {import('./gossip-types.js').RendezvousRotationResult['outcome']} */ outcome) => ({
    ...RENDEZVOUS.series(outcome),
    rotation: outcome.rotation === null ? null : { ...outcome.rotation, series: [] }
  })
}

/** @type {Readonly<Record<string, Bulk>>} */
const BULK = Object.freeze({
  rendezvous: RENDEZVOUS,
  gossip: GOSSIP,
  profile: GOSSIP,
  rotation: GOSSIP,
  'rotation-rendezvous': ROTATING_PEERS
})

/**
 * withoutSeconds leaves out of a result what there is of every second: the page of a matrix does not need it.
 *
 * @template {AnyResult} R
 * @param {R} result
 * @returns {R}
 */
export const withoutSeconds = result => ({
  ...result,
  outcome: { ...result.outcome, ...BULK[result.scenario].seconds(result.outcome) }
})

/**
 * compact leaves out of a result what only plots over time need.
 *
 * @template {AnyResult} R
 * @param {R} result
 * @returns {R}
 */
export function compact(result) {
  const { seconds, series } = BULK[result.scenario]
  return {
    ...result,
    outcome: { ...result.outcome, ...seconds(result.outcome), ...series(result.outcome) }
  }
}

/**
 * compactRecord does so with a record that carries a result.
 *
 * @param {Record_} record
 * @returns {Record_}
 */
export const compactRecord = record =>
  'result' in record ? { ...record, result: compact(record.result) } : record

/**
 * resultToKeep is what stays in memory of a record that carries a result while its run goes on: of a partial one, which `result.json` holds
 * whole, only what tables need. The next one may take long to come.
 *
 * @param {Extract<Record_, { type: 'partial' | 'result' }>} record
 * @returns {AnyResult}
 */
export const resultToKeep = ({ type, result }) => (type === 'partial' ? compact(result) : result)
