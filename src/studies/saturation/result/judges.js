import { MOST_P99_MS } from '../../../scenarios/gossip/measure/not-carried.js'
import { gossipSaturatedFirst } from '../search/gossip-saturated-first.js'
import { notSustained } from '../search/not-sustained.js'
import { saturatedFirst } from '../search/saturated-first.js'
import { isBeyond } from '../search/saturation-grid.js'
import { gossipPointOf } from './gossip-point.js'
import { loadPointOf } from './load-point.js'

/**
 * @typedef {import('./load-point.js').LoadPoint} LoadPoint
 * @typedef {import('./gossip-point.js').GossipPoint} GossipPoint
 * @typedef {import('../search/saturation-grid.js').CellFigures} CellFigures
 * @typedef {import('../search/saturated-first.js').SaturatedFirst} SaturatedFirst
 * @typedef {import('./trial.js').Reason} Reason
 *
 * @typedef {object} Judge - what is made of the runs of a scenario under a load
 * @property {(plan: any) => number} sizeOf - connections, or nodes
 * @property {(trial: { perSecond: number, plan: any }) => number} rateOf - of each connection, or of the whole network
 * @property {(result: any, how: { inTimeMs?: number }) => LoadPoint | GossipPoint} pointOf
 * @property {(point: any, lowest: any) => Reason[]} notSustained - none: it was; `lowest`: the trial at the lowest rate; null: this is it
 * @property {(point: any) => SaturatedFirst} saturatedFirst
 * @property {(trial: { perSecond: number, plan: any }, point: any) => CellFigures} cellOf
 */

/** Independent arrivals are as many as come: more or fewer than the rate says. @param {{ perSecond: number, plan: any }} trial @param {LoadPoint} point */
const expectedOf = ({ perSecond, plan }, { durationMs, due }) =>
  plan.arrivals === 'poisson' ? due : (perSecond * durationMs) / 1000

/** Divisions leave no digits behind. @param {{ perSecond: number, plan: import('../../../plan/plan.js').Plan }} trial */
const ratePerConnection = ({ perSecond, plan }) => Number((perSecond / plan.nClients).toPrecision(12))

/** JUDGES of the scenarios whose load is found out. @type {Readonly<Record<import('../plan/load-plan.js').Loaded, Judge>>} */
export const JUDGES = Object.freeze({
  rendezvous: {
    sizeOf: ({ nClients }) => nClients,
    rateOf: ratePerConnection,
    pointOf: loadPointOf,
    notSustained,
    saturatedFirst,
    cellOf(trial, /** @type {LoadPoint} */ point) {
      const amounts = { expected: expectedOf(trial, point), achieved: point.achieved }
      return {
        ...amounts,
        load: ratePerConnection(trial) * trial.plan.nClients,
        avgMs: point.rt.avg?.ms ?? null,
        beyond: isBeyond(amounts)
      }
    }
  },
  gossip: {
    sizeOf: ({ nodes }) => nodes,
    rateOf: ({ perSecond }) => perSecond,
    pointOf: (result, { inTimeMs = MOST_P99_MS }) => gossipPointOf(result, { inTimeMs }),
    notSustained: ({ reasons }) => reasons,
    saturatedFirst: gossipSaturatedFirst,
    cellOf: (_trial, /** @type {GossipPoint} */ { due, achieved, dueDeliveries, ...point }) => ({
      expected: due,
      achieved,
      load: (dueDeliveries * 1000) / point.durationMs,
      avgMs: point.rt.avg?.ms ?? null,
      beyond: point.reasons.length > 0
    })
  }
})

/**
 * judgeOf is the judge of a plan.
 *
 * @param {{ scenario: string }} plan
 */
export const judgeOf = ({ scenario }) => JUDGES[/** @type {keyof typeof JUDGES} */ (scenario)]
