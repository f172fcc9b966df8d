import '../../../src/kit/runtime.js'
import { findMissedConditions, makeObjective } from '../../../src/studies/saturate/objective.js'
import { makeTrial } from '../../../src/studies/saturate/trials.js'
import { sampleResult } from '../../report/sample-result.js'
import { aLoadPoint, times } from '../../scenarios/rendezvous/load-point.js'

/**
 * @typedef {import('../../../src/studies/qa/qa-document.js').QaDocument} QaDocument
 * @typedef {import('../../../src/studies/saturate/trials.js').Trial} Trial
 * @typedef {import('../../../src/scenarios/rendezvous/saturation.js').LoadPoint} LoadPoint
 */

/** OBJECTIVE is the usual one. */
export const OBJECTIVE = makeObjective('rendezvous')

/**
 * aTrial is a run of 6 s at a rate of one connection.
 *
 * @param {number} rate - a second
 * @param {Partial<LoadPoint> | null} [point] - null: nothing was measured
 * @param {Partial<Trial>} [parts]
 * @returns {Trial}
 */
export function aTrial(rate, point = {}, parts = {}) {
  const { plan } = sampleResult({ options: { rate: `${rate}/s`, nClients: 1, duration: '6s' } })
  const measured = point && aLoadPoint({ due: 6 * rate, achieved: 6 * rate, ...point })
  const reasons = measured === null ? [] : findMissedConditions('rendezvous', OBJECTIVE, { point: measured })
  return {
    ...makeTrial({ name: `r${rate}`, plan }),
    status: point === null ? 'failed' : 'complete',
    run: `runs/r${rate}`,
    point: measured,
    ...{ reasons, sustained: measured && reasons.length === 0 },
    ...parts
  }
}

const { machine } = sampleResult().run

/**
 * aQaDocument is a quality report: 50/s were carried, 100/s were not, the former was examined three times and half of it held for a minute.
 *
 * @param {{ [K in keyof QaDocument]?: K extends 'grid' | 'examined' | 'rotation' ? Partial<QaDocument[K]> : QaDocument[K] }} [parts]
 * @returns {QaDocument}
 */
export function aQaDocument({ grid, examined, rotation, ...parts } = {}) {
  return {
    ...{ schemaVersion: 1, id: '20261120-0712-qa-rendezvous', status: 'complete', reason: null },
    ...{ startedAt: '2026-11-20T07:12:00.000Z', finishedAt: '2026-11-20T07:20:00.000Z' },
    ...{ scenario: 'rendezvous', quick: false, options: {}, objective: OBJECTIVE, seconds: 6 },
    ...{ steadySeconds: 60, watched: null },
    on: { machine, versions: { 'libp2p-loadtest': '0.1.0', node: '20.20.2' } },
    grid: {
      rates: [50, 100],
      connections: [1],
      cells: [aTrial(50, { rt: times(2) }), aTrial(100, { achieved: 300, rt: times(20) })],
      chosen: { ratePerSecond: 50, connections: 1 },
      ...grid
    },
    growth: null,
    examined: {
      wanted: null,
      cell: { ratePerSecond: 50, size: 1 },
      runs: 3,
      trials: [2, 2.02, 1.98].map((ms, i) =>
        aTrial(50, { rt: times(ms) }, { name: `examined-${i + 1}`, run: `runs/examined-${i + 1}` })
      ),
      machine: {},
      ...examined
    },
    steady: aTrial(25, { rt: times(1.5) }, { name: 'steady', run: 'runs/steady' }),
    rotation: {
      ...{
        options: { duration: '60s' },
        plan: {
          ...{ scenario: 'rendezvous', nClients: 30, durationMs: 60_000 },
          churn: { peers: 10, everyMs: 4000, atRandom: false, awayMs: 2000, asNew: true }
        }
      },
      ...{ why: null, status: 'complete', reason: null, run: 'runs/rotation', tookMs: 60_000, figures: {} },
      ...{ came: 'all were seen', slope: null },
      ...rotation
    },
    baseline: null,
    held: null,
    ...parts
  }
}
