import { readTime } from '../../../measure/figure.js'
import { withoutSample } from '../../../plan/threshold-samples.js'
import { RENDEZVOUS_FIGURES } from '../figures.js'

/**
 * @typedef {import('./load-point.js').LoadPoint} LoadPoint
 * @typedef {import('../../../measure/figure.js').Figure} Figure
 * @typedef {import('../../../measure/figure.js').Reading} Reading
 */

const WORDS = { nothing: 'no operation was measured', atLeast: 'operations without a reply reach into it' }

/** A figure of a load, of all operations together. @param {string} name @param {Partial<Figure>} more @param {(point: LoadPoint) => Reading} read @returns {Figure} */
const ofPoint = (name, more, read) => ({
  ...{ name, title: name, quantity: 'share', better: 'lower', live: 0 },
  ...more,
  read: outcome => read(/** @type {any} */ (outcome).point)
})

/** @param {number} count @param {number} due @returns {Reading} */
const share = (count, due) => ({ value: due === 0 ? null : (100 * count) / due, samples: due })

/** Of all operations but CONNECT, which is part of the operation after it. @type {readonly Figure[]} */
const TOGETHER = [
  .../** @type {const} */ (['avg', 'p50', 'p90', 'p95', 'p99', 'max']).map(key =>
    ofPoint(key, { quantity: 'time' }, ({ rt, due }) =>
      readTime(/** @type {any} */ ({ ...rt, count: due }), key, WORDS)
    )
  ),
  ofPoint('errorRate', {}, ({ failed, due }) => share(failed, due)),
  ofPoint('achieved', { better: 'higher' }, ({ achieved, underWay = 0, due }) =>
    share(achieved + underWay, due)
  )
]

/** TRIAL_FIGURES are those that an objective can be set on: of all operations together, then those of thresholds. @type {readonly Figure[]} */
export const TRIAL_FIGURES = [
  ...TOGETHER,
  ...RENDEZVOUS_FIGURES.filter(({ name }) => !TOGETHER.some(together => together.name === name))
]

/** @param {any} plan @param {string | undefined} type - of operations */
function shareOf({ benchmarkType, mix }, type) {
  if (type === undefined || type === 'CONNECT' || benchmarkType !== 'MIXED') return 1
  return mix?.[type.toLowerCase()] ?? 1
}

/** OPERATIONS_OBJECTIVE is what a load of operations must meet. @type {import('../../saturation.js').TrialObjective} */
export const OPERATIONS_OBJECTIVE = {
  figures: TRIAL_FIGURES,
  usual: ['p99 < 50ms', 'errorRate < 0.1%', 'achieved >= 99%'],
  lack: (objective, { target, targets, targetPid, targetContainer, mix, ...plan }) =>
    withoutSample(objective, TRIAL_FIGURES, {
      ...plan,
      mix: mix ?? { register: 0.5, discover: 0.5 },
      target: target ?? undefined,
      targets: targets ?? undefined,
      targetPid: targetPid ?? undefined,
      targetContainer: targetContainer ?? undefined
    }),
  samplesPerSecond: (figure, plan) =>
    figure.quantity === 'time' && (TOGETHER.includes(figure) || figure.type !== undefined)
      ? plan.ratePerSecond * shareOf(plan, figure.type)
      : null
}
