// Trials of loads, for `saturate` and `qa`: names, measured figures, the limiting resource, and the load from which
// response times rise steeply.

import { formatRate } from '../../kit/numbers.js'
import { findLimit, findUsedUp } from '../../measure/limited-by.js'
import { findSlopeChange } from '../../measure/statistics.js'
import { SATURATION as GOSSIP_SATURATION } from '../../scenarios/gossip/saturation.js'
import { GOSSIP } from '../../scenarios/gossip/scenario.js'
import { OPERATIONS_SATURATION as RENDEZVOUS_SATURATION } from '../../scenarios/rendezvous/saturation.js'
import { RENDEZVOUS } from '../../scenarios/rendezvous/scenario.js'

/**
 * @typedef {import('../../scenarios/saturation.js').Saturation & { scenario: import('../../scenarios/index.js').Scenario }} SaturationScenario
 */

/**
 * SATURATION_SCENARIOS are the scenarios that studies of sustained load exist for, by name.
 *
 * @type {Readonly<Record<string, SaturationScenario>>}
 */
export const SATURATION_SCENARIOS = {
  [RENDEZVOUS.name]: { ...RENDEZVOUS_SATURATION, scenario: RENDEZVOUS },
  [GOSSIP.name]: { ...GOSSIP_SATURATION, scenario: GOSSIP }
}

/** findSaturation finds how load is tried with the scenario of a plan or a document. @param {{ scenario: string }} of */
export const findSaturation = ({ scenario }) => SATURATION_SCENARIOS[scenario]

/**
 * findTerms are the terms in which the trials of a document are described.
 *
 * @param {{ scenario: string } & { options?: Record<string, unknown> }} document
 */
export const findTerms = ({ scenario, options = {} }) => SATURATION_SCENARIOS[scenario].view(options)

/**
 * @typedef {import('../../scenarios/rendezvous/saturation.js').LoadPoint} LoadPoint
 * @typedef {import('../../scenarios/gossip/saturation.js').GossipPoint} GossipPoint
 * @typedef {import('../../scenarios/rendezvous/options.js').Plan} Plan
 * @typedef {import('../../scenarios/gossip/options.js').GossipPlan} GossipPlan
 *
 * @typedef {object} TrialParts - of a run under a load
 * @property {string} name - also of its folder
 * @property {number} perSecond - operations due, of all connections together; or messages of the whole network
 * @property {number} [connections] - of a trial of the rendezvous scenario
 * @property {number} [nodes] - of one of the gossip scenario
 * @property {'pending' | 'complete' | 'failed' | 'interrupted'} status
 * @property {import('../../report/schema.js').Reason | null} reason - why it is not complete
 * @property {string | null} run - folder of its run, in that of the document
 * @property {number | null} tookMs
 * @property {boolean | null} sustained - it met the objective; null: not known
 * @property {Reason[]} reasons - why it did not
 *
 * @typedef {{ plan: Plan, point: LoadPoint | null }} OfOperations - `point`: what was measured; null: nothing
 * @typedef {{ plan: GossipPlan, point: GossipPoint | null }} OfMessages
 *
 * @typedef {TrialParts & OfOperations} Trial - of the rendezvous scenario
 * @typedef {TrialParts & OfMessages} GossipTrial
 * @typedef {TrialParts & { plan: Plan | GossipPlan, point: LoadPoint | GossipPoint | null }} AnyTrial
 *
 * @typedef {import('./objective.js').MissedCondition | { code: 'ENDED', message: string } | { code: 'FORMER', text: string }} Reason - why a load was not
 *   sustained. `ENDED`: the run did not come to its end; `FORMER`: by a rule of an earlier version
 *
 * @typedef {ReturnType<typeof listMeasuredCells<AnyTrial>>[number]} MeasuredLoad - a load that was measured
 *
 * @typedef {object} TrialPurpose
 * @property {import('./search.js').Purpose} purpose
 *
 * @typedef {AnyTrial & TrialPurpose} SearchTrial
 *
 * @typedef {object} SearchState - a search for the highest sustainable rate
 * @property {number} fromPerSecond
 * @property {number} [leastPerSecond] - no lower rate is tried
 * @property {number} mostPerSecond
 * @property {number} tolerance
 * @property {number} repeats
 * @property {number} [seed] - of the order of rates in blocks
 * @property {number} blocks - of trials around the rate that was bracketed; 0: none
 * @property {SearchTrial[]} trials - in the order they were made
 * @property {SearchOutcome | null} found - null: it has not ended
 *
 * @typedef {import('./search.js').Sustainable & { estimate: import('./search.js').Estimate | null, generatorBound: boolean }} SearchOutcome -
 *   `estimate`: null: there were too few blocks of trials; `generatorBound`: `below` is a lower bound: the load generator, not the server, kept from
 *   more
 */

/**
 * makeTrial is a trial that was not run yet.
 *
 * @template {Plan | GossipPlan} P
 * @param {{ name: string, plan: P }} what
 * @returns {P extends GossipPlan ? GossipTrial : Trial}
 */
export function makeTrial({ name, plan }) {
  const { sizeName, sizeOf } = findSaturation(plan)
  return /** @type {any} */ ({
    name,
    perSecond: plan.ratePerSecond,
    [sizeName]: sizeOf(plan),
    plan,
    status: 'pending',
    reason: null,
    run: null,
    tookMs: null,
    sustained: null,
    reasons: [],
    point: null
  })
}

/**
 * formatCellName names a cell in texts: `r=10, c=4`.
 *
 * @param {import('../../scenarios/saturation.js').TrialView} face
 * @param {{ ratePerSecond: number, size: number }} cell
 */
export const formatCellName = ({ sizeSign }, { ratePerSecond, size }) =>
  `r=${formatRate(ratePerSecond)}, ${sizeSign}=${size}`

/**
 * formatTrialName names the cell of a trial.
 *
 * @param {import('../../scenarios/saturation.js').TrialView} view
 * @param {AnyTrial} trial
 */
export function formatTrialName(view, trial) {
  const { sizeOf, rateOf } = findSaturation(trial.plan)
  return formatCellName(view, { ratePerSecond: rateOf(trial), size: sizeOf(trial.plan) })
}

/**
 * @typedef {import('./search.js').MeasuredCell} MeasuredCell
 */

/**
 * listMeasuredCells are the measured trials, with rate, size and load.
 *
 * @template {AnyTrial} T
 * @param {readonly T[]} cells
 * @returns {(MeasuredCell & { trial: T, point: NonNullable<T['point']> })[]}
 */
export const listMeasuredCells = cells =>
  cells.flatMap(trial => {
    const { point, plan } = trial
    if (point === null) return []
    const { sizeOf, rateOf, cellOf } = findSaturation(plan)
    return [
      {
        trial,
        point: /** @type {NonNullable<T['point']>} */ (point),
        size: sizeOf(plan),
        ratePerSecond: rateOf(trial),
        ...cellOf(trial, point),
        beyond: trial.sustained === false
      }
    ]
  })

/**
 * @typedef {object} LoadTime - the time measured at a load
 * @property {number} size - connections, or nodes
 * @property {number} load - per second
 * @property {number | null} ms
 *
 * @typedef {import('../../measure/statistics.js').SlopeChange & { size: number }} Knee - the load, `at`, from which times rise more steeply: in ms for each
 *   1/s more
 */

/** If times rise by less than this factor after the knee, it is noise. */
const MIN_RISE = 1.5

/**
 * findKnees finds, for each size, the load from which times rise more steeply.
 *
 * @param {readonly LoadTime[]} loads
 * @returns {Knee[]}
 */
export const findKnees = loads =>
  [...new Set(loads.map(({ size }) => size))].flatMap(size => {
    const points = loads
      .flatMap(loaded =>
        loaded.size === size && loaded.ms !== null ? [{ x: loaded.load, y: loaded.ms }] : []
      )
      .sort((a, b) => a.x - b.x)
    const bend = findSlopeChange(points)
    if (bend === null || bend.after <= bend.before) return []
    const before = points.filter(({ x }) => x < bend.at)
    const rises = points[points.length - 1].y >= MIN_RISE * before[before.length - 1].y
    return rises ? [{ size, ...bend }] : []
  })

/** @typedef {import('../../report/schema.js').LimitedBy} LimitedBy */

/** @type {ReadonlySet<string>} */
const GENERATORS = new Set(['load generator', 'machine'])

/**
 * isGeneratorLimit says whether the load generator, or the machine that it shares with the server, was the limit, and not the server.
 *
 * @param {LimitedBy} limited
 */
export const isGeneratorLimit = ({ by }) => by.length > 0 && by.every(name => GENERATORS.has(name))

/**
 * readLimit says which resource limited a trial.
 *
 * @param {any} point - of the trial
 * @returns {LimitedBy}
 */
export const readLimit = point => findUsedUp(point.limitedBy ?? fromFigures(point))

/** Trials of earlier releases have these figures. @param {any} point */
const fromFigures = ({ serverCpuPercent, cpus, utilization, simulated, achieved, due }) =>
  findLimit({
    ...(serverCpuPercent != null && {
      server: { percent: serverCpuPercent / Math.min(1, cpus ?? 1), of: 'what it may use' }
    }),
    ...(!simulated && { generator: { percent: utilization === null ? null : 100 * utilization } }),
    achieved: (100 * achieved) / Math.max(1, due)
  })

/**
 * findCommonLimit says which resource limited several trials at a load that was not sustained: the load generator if it limited at least half of them,
 * else the most frequent limit.
 *
 * @param {readonly LimitedBy[]} limits - of each trial
 * @returns {LimitedBy | null} null: there is no trial
 */
export function findCommonLimit(limits) {
  const generators = limits.filter(isGeneratorLimit)
  const known = limits.filter(({ by }) => by.length > 0)
  const candidates = generators.length * 2 >= limits.length ? generators : known.length > 0 ? known : limits
  const count = (/** @type {LimitedBy} */ limited) =>
    candidates.filter(({ by }) => by.join() === limited.by.join()).length
  const [top = null] = [...candidates].sort((a, b) => count(b) - count(a))
  return top
}
