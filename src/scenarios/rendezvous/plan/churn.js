import { grouped } from '../../../kit/numbers.js'
import { churn, churnRules } from '../../../plan/churn-option.js'
import { duration, yesOrNo } from '../../../plan/values.js'
import { USUAL_DURATION_MS } from './conditions.js'

/**
 * Churn at a rendezvous server: clients register in all namespaces and refresh that; some leave without unregistering, and return or are
 * replaced.
 *
 * @typedef {import('../../../plan/option.js').Option} Option
 * @typedef {import('../../../plan/option.js').Rule} Rule
 * @typedef {import('../../../plan/plan.js').Plan} Plan
 * @typedef {Record<string, any>} Values - of options, by flag
 */

/**
 * churnedPlan is a plan as a schedule of churn is made from it.
 *
 * @param {Pick<Plan, 'seed' | 'nClients' | 'churn' | 'durationMs'>} plan
 * @returns {import('../../../load/churn.js').ChurnedPlan}
 */
export const churnedPlan = ({ seed, nClients, churn, durationMs }) => ({
  ...{ seed, churn, durationMs, nodes: nClients },
  messages: null,
  ratePerSecond: null
})

/**
 * refreshMsOf is the time after which a client registers again, where nothing else is said: half of the time to live.
 *
 * @param {Values} values
 */
export const refreshMsOf = ({ refreshEvery, ttl }) => refreshEvery ?? ttl * 500

/** @type {Readonly<import('../../../plan/option.js').Condition>} */
const OF_CHURN = {
  of: 'churn',
  needs: ['churn'],
  met: ({ churn }) => churn !== undefined,
  asks: () => false,
  otherwise: ''
}

/** @type {Readonly<import('../../../plan/option.js').Condition>} */
const WITH_CHURN = {
  of: '--churn',
  needs: ['churn'],
  met: ({ churn }) => churn !== undefined,
  otherwise: 'needs --churn',
  asks: value => value !== false
}

/**
 * churnOptions say who comes and goes.
 *
 * @param {string} group - heading in --help
 * @returns {Readonly<Record<string, Readonly<Option>>>}
 */
export const churnOptions = group => ({
  churn: {
    group,
    ...churn(),
    only: OF_CHURN,
    ofSomePlans: true,
    ofCase: true,
    describe:
      'clients register in all namespaces, and some of them leave without unregistering and return, or are replaced, such as 10,every=5s,away=2s: of 10 ephemeral clients one is killed every 5s, and 2s later a new one takes its place. See docs/churn.md'
  },
  refreshEvery: {
    group,
    defaultText: 'half of --ttl',
    ...duration({ min: '100ms', max: '72h' }),
    planKey: 'refreshEveryMs',
    only: WITH_CHURN,
    ofSomePlans: true,
    ofCase: true,
    describe:
      'with --churn, time after which a client registers again, so that its registrations do not expire'
  },
  cookies: {
    group,
    default: false,
    ...yesOrNo(),
    only: WITH_CHURN,
    ofSomePlans: true,
    ofCase: true,
    describe:
      'with --churn, each DISCOVER but the first of a client carries the cookie of the one before: only what was registered since is asked for'
  }
})

/** How long a plan measures, where it says so. @param {Values} values */
const lengthOf = ({ duration }) => duration ?? USUAL_DURATION_MS

/**
 * How many registrations one namespace can hold: of all places, of clients that died in them and have not expired, and of those there before.
 *
 * @param {Values} values
 */
function maxRegistrations({ churn: spec, nClients, ttl, initialRegistrations, nNamespaces, ...values }) {
  const lengthMs = Math.min(ttl * 1000, lengthOf(values))
  const everyMs = 'peers' in spec ? spec.everyMs : spec.perMs / spec.share / nClients
  const dead = spec.asNew ? Math.ceil(lengthMs / everyMs) : 0
  return nClients + dead + Math.ceil(initialRegistrations / nNamespaces)
}

/** What goes with churn in no run, and why. @type {readonly (readonly [flag: string, asked: (value: any) => boolean, why: string])[]} */
const RIVALS = [
  ['benchmarkType', value => value === 'UNREGISTER', 'clients keep their registrations'],
  ['benchmarkRuns', value => value !== undefined, 'clients come and go for --duration'],
  ['providers', value => value !== undefined, 'each client registers and discovers'],
  ['discoverInexistentNamespaces', Boolean, 'clients look for each other'],
  ['registerMode', value => value === 'new', 'clients keep their registrations'],
  ['connectionPerOperation', Boolean, 'a client stays connected as long as it lives'],
  ['servers', value => value > 1, 'clients go to one server'],
  ['targets', value => value !== undefined, 'clients go to one server'],
  ['fault', value => (value ?? []).length > 0, 'what is lost could not be told from what expires']
]

/** CHURN_RULES are the combinations with churn that cannot be run. @type {readonly Rule[]} */
export const CHURN_RULES = [
  ...churnRules('nClients', { minStable: 1, durationMs: USUAL_DURATION_MS }),
  ...RIVALS.map(([flag, isAsked, why]) => ({
    flag,
    needs: ['churn'],
    refuse: (/** @type {Values} */ values) =>
      values.churn !== undefined && isAsked(values[flag]) && `cannot be given with --churn: ${why}`
  })),
  {
    flag: 'refreshEvery',
    needs: ['ttl', 'churn'],
    refuse: values =>
      values.churn !== undefined &&
      refreshMsOf(values) >= values.ttl * 1000 &&
      `must be less than --ttl ${values.ttl}s: registrations of clients that live would expire`
  },
  {
    flag: 'discoverLimit',
    needs: [
      'churn',
      'cookies',
      'benchmarkType',
      'nClients',
      'nNamespaces',
      'initialRegistrations',
      'ttl',
      'duration'
    ],
    refuse: values => {
      if (values.churn === undefined || values.benchmarkType === 'REGISTER') return false
      const max = maxRegistrations(values)
      return (
        !values.cookies &&
        values.discoverLimit < max &&
        `must be at least ${grouped(max)} with --churn, or --cookies: a namespace can hold so many registrations, and the newest are given last`
      )
    }
  }
]
