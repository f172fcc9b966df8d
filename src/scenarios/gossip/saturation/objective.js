import { lackIn } from '../../../plan/threshold-samples.js'
import { GOSSIP_FIGURES } from '../figures.js'

/**
 * @typedef {import('./gossip-point.js').GossipPoint} GossipPoint
 * @typedef {import('../../../measure/figure.js').Figure} Figure
 */

/** A share of what was due in a load. @param {string} name @param {string} title @param {(point: GossipPoint) => [count: number, due: number]} of @returns {Figure} */
const share = (name, title, of) => ({
  ...{ name, title, quantity: 'share', better: 'higher', live: 0 },
  read(outcome) {
    const [count, due] = of(/** @type {any} */ (outcome).point)
    return { value: due === 0 ? null : (100 * count) / due, samples: due }
  }
})

/** TRIAL_FIGURES are those that an objective can be set on. @type {readonly Figure[]} */
export const TRIAL_FIGURES = [
  share('achieved', 'Messages that reached everyone within --inTime', ({ achieved, due }) => [achieved, due]),
  share('publishedInTime', 'Messages published in time', ({ published: { inTime, planned } }) => [
    inTime,
    planned
  ]),
  .../** @type {readonly Figure[]} */ (/** @type {unknown} */ (GOSSIP_FIGURES))
]

/** MESSAGES_OBJECTIVE is what a load of messages must meet. @type {import('../../saturation.js').TrialObjective} */
export const MESSAGES_OBJECTIVE = {
  figures: TRIAL_FIGURES,
  usual: ['deliveryRatio > 99.9%', 'publishedInTime >= 99%', 'achieved >= 99%'],
  lack: (objective, plan) => lackIn(objective, TRIAL_FIGURES, plan),
  samplesPerSecond({ name }, { ratePerSecond, nodes }) {
    if (name.startsWith('dissemination.')) return ratePerSecond
    return name.startsWith('latency.') ? ratePerSecond * (nodes - 1) : null
  }
}
