import { grouped, spell } from '../../../kit/numbers.js'
import { conditionRules } from '../../../plan/option.js'
import { TARGET_ELSEWHERE } from '../../../plan/public-target.js'
import { isAnyServers, KINDS } from '../../rendezvous/plan/hostile-kinds.js'
import { LIMIT_RULES, PID_OR_CONTAINER } from '../../rendezvous/plan/server-rules.js'
import { abusePlan } from '../abuse-plan.js'
import { ABUSE_OPTIONS } from './abuse-options.js'
import { casesOf, kindOf } from './cases.js'

/**
 * @typedef {import('../../../plan/option.js').Rule} Rule
 * @typedef {import('../abuse-plan.js').AbusePlan} AbusePlan
 */

/** A stretch with fewer says nothing, not even how it went on. */
const LEAST_REQUESTS = 20
const MOST_MS = 24 * 3600 * 1000

/** LEAD_IN_MS of a stretch are not counted: who connects, and what compiles, is not in the middle of it. */
export const LEAD_IN_MS = 1500

/** leadInMs is how long a stretch goes on before it counts. @param {Pick<AbusePlan, 'stretchMs'>} plan */
export const leadInMs = ({ stretchMs }) => Math.min(LEAD_IN_MS, stretchMs)

/** A server, two processes beside it, and what it is loaded with. */
const START_MS = 3000
/** Behind an abused stretch: until honest clients are served as before, and the server has nothing left to do. */
const CALM_MS = 2000

/** @param {Pick<AbusePlan, 'kinds' | 'pairs' | 'stretchMs' | 'warmupMs'>} plan */
const lasts = plan => {
  const { pairs, stretchMs, warmupMs } = plan
  const each = START_MS + warmupMs + pairs * (2 * (stretchMs + leadInMs(plan)) + CALM_MS)
  return casesOf(plan).length * each
}

/** @type {readonly Rule[]} */
const RULES = [
  TARGET_ELSEWHERE,
  ...LIMIT_RULES,
  PID_OR_CONTAINER,
  {
    flag: 'kinds',
    needs: ['target'],
    refuse({ kinds, target }, given) {
      // all: those that there are of such a server
      if (target === undefined || given.get('kinds')?.text.trim().toLowerCase() === 'all') return false
      const ours = kinds.map(kindOf).filter((/** @type {string} */ kind) => !isAnyServers(kind))
      return (
        given.has('kinds') &&
        ours.length > 0 &&
        `cannot have ${ours[0]} with --target: it is of our own server`
      )
    }
  },
  {
    flag: 'stretch',
    needs: ['rate'],
    refuse({ stretch, rate }) {
      const requests = Math.floor((stretch * rate) / 1000)
      return (
        requests < LEAST_REQUESTS &&
        `has ${grouped(requests)} requests at --rate ${rate}/s: at least ${LEAST_REQUESTS}`
      )
    }
  },
  {
    flag: 'pairs',
    needs: ['kinds', 'stretch', 'warmup'],
    refuse({ kinds, pairs, stretch: stretchMs, warmup: warmupMs }) {
      const ms = lasts({ kinds, pairs, stretchMs, warmupMs })
      return ms > MOST_MS && `would take ${spell(ms)}: at most ${spell(MOST_MS)}`
    }
  }
]

/** Those that can be done to servers of others. */
const OF_ANY_SERVER = Object.keys(KINDS).filter(isAnyServers)

/** ABUSE_KIND makes the plans of runs with hostile peers. @type {Readonly<import('../../scenario.js').Kind>} */
export const ABUSE_KIND = {
  options: ABUSE_OPTIONS,
  combinations: [...conditionRules(ABUSE_OPTIONS), ...RULES],
  rivals: [],
  toPlan: (/** @type {Record<string, any>} */ picked) => ({
    scenario: 'abuse',
    ...picked,
    kinds: Object.freeze(
      picked.kinds.filter(
        (/** @type {string} */ text) => picked.target === null || isAnyServers(kindOf(text))
      )
    ),
    thresholds: Object.freeze(picked.thresholds ?? [])
  }),
  flat: plan => ({ ...plan }),
  unsaid: plan => {
    const { target, kinds } = abusePlan(plan)
    return target !== null && kinds.join() === OF_ANY_SERVER.join() ? ['kinds'] : []
  }
}

/** estimateMs is about how long a run takes. @param {unknown} plan */
export const estimateMs = plan => lasts(abusePlan(plan))
