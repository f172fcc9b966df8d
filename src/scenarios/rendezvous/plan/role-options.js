import { grouped, significant } from '../../../kit/numbers.js'
import { rate, wholeNumber } from '../../../plan/values.js'
import { usualDurationMs } from './conditions.js'

/**
 * @typedef {import('../../../plan/option.js').Option} Option
 * @typedef {import('../../../plan/option.js').Rule} Rule
 * @typedef {Record<string, any>} Values - of options, by flag
 */

/** Both roles together are as many clients, and send as much, as a run can. */
const MOST_CLIENTS = 50_000
const MOST_PER_SECOND = 500_000

const PLACE = { notIn: { trial: 'each connection of a trial sends the same' }, ofCase: true, added: null }

/** hasRoles says whether some clients only register, and the others only discover. @param {Values} values */
export const hasRoles = ({ providers, discoverers }) => providers !== undefined || discoverers !== undefined

/** @type {Readonly<import('../../../plan/option.js').Condition>} */
const OF_ROLES = {
  of: 'roles',
  needs: ['providers', 'discoverers'],
  met: hasRoles,
  otherwise: 'needs --providers and --discoverers'
}

/**
 * roleOptions divide the clients into those that only register, and those that only discover.
 *
 * @param {string} group - heading in --help
 * @returns {Readonly<Record<string, Readonly<Option>>>}
 */
export const roleOptions = group => ({
  providers: {
    group,
    ...wholeNumber(1, MOST_CLIENTS),
    ...PLACE,
    describe:
      'instead of --nClients: clients that only REGISTER, each the same again and again, beside --discoverers'
  },
  discoverers: {
    group,
    ...wholeNumber(1, MOST_CLIENTS),
    ...PLACE,
    describe: 'clients that only DISCOVER, beside --providers'
  },
  providerRate: {
    group,
    ...rate({ max: MOST_PER_SECOND }),
    planKey: 'providerRatePerSecond',
    only: OF_ROLES,
    ...PLACE,
    describe:
      'open model: REGISTERs of all --providers together are due at this rate (default: each role is a closed loop)'
  },
  discovererRate: {
    group,
    ...rate({ max: MOST_PER_SECOND }),
    planKey: 'discovererRatePerSecond',
    only: OF_ROLES,
    ...PLACE,
    describe: 'open model: DISCOVERs of all --discoverers together are due at this rate'
  }
})

/**
 * withRoles gives the values that roles say of other options, so that whatever looks at those need not know of roles.
 *
 * @param {Values} values
 * @returns {Values}
 */
export function withRoles(values) {
  if (!hasRoles(values)) return values
  const { providers = 0, discoverers = 0, providerRate, discovererRate } = values
  const isOpen = providerRate !== undefined || discovererRate !== undefined
  return {
    ...values,
    nClients: providers + discoverers,
    benchmarkType: 'MIXED',
    // there is both of it; how much, nobody draws
    mix: { register: 0.5, discover: 0.5, unregister: 0 },
    registerMode: 'refresh',
    rate: isOpen ? (providerRate ?? 0) + (discovererRate ?? 0) : undefined,
    duration: values.duration ?? usualDurationMs(values)
  }
}

/** What roles say instead, and which values ask for nothing else. @type {Readonly<Record<string, [otherwise: string, asks?: (value: any) => boolean]>>} */
const SAID_BY_ROLES = {
  nClients: ['they are all the clients there are'],
  benchmarkType: ['the ones REGISTER, the others DISCOVER'],
  mix: ['each role sends at its own pace, --providerRate and --discovererRate'],
  registerMode: ['providers keep their registrations fresh', value => value !== 'refresh'],
  rate: ['each role has its own, --providerRate and --discovererRate'],
  benchmarkRuns: ['they send for --duration']
}

/** ROLE_RIVALS are put out of force by roles that somebody gives later. @type {readonly [string, string][]} */
export const ROLE_RIVALS = Object.keys(SAID_BY_ROLES).map(flag => ['providers', flag])

/** UNSAID_OF_ROLES are keys of a plan with roles that follow from these. */
export const UNSAID_OF_ROLES = [...['nClients', 'benchmarkType', 'mix', 'registerMode', 'ratePerSecond']]

const BOTH = ['providers', 'discoverers']

/** @type {readonly Rule[]} */
const INSTEAD = Object.entries(SAID_BY_ROLES).map(([flag, [otherwise, asks = () => true]]) => ({
  flag,
  needs: BOTH,
  refuse: (values, given) =>
    given.has(flag) &&
    hasRoles(values) &&
    asks(given.get(flag)?.value) &&
    `has no use with --providers and --discoverers: ${otherwise}`
}))

/** @param {string} flag @param {string} other @returns {Rule} */
const bothRates = (flag, other) => ({
  flag,
  needs: [other, ...BOTH],
  refuse: values =>
    hasRoles(values) &&
    values[flag] !== undefined &&
    values[other] === undefined &&
    `needs --${other}: both roles send on a schedule, or both wait for replies`
})

/** ROLE_RULES are the combinations with roles that cannot be run. @type {readonly Rule[]} */
export const ROLE_RULES = [
  {
    flag: 'providers',
    needs: BOTH,
    refuse: values =>
      hasRoles(values) &&
      values.discoverers === undefined &&
      'needs --discoverers; where all clients register there is --nClients with --registerMode refresh'
  },
  {
    flag: 'discoverers',
    needs: BOTH,
    refuse: values =>
      hasRoles(values) &&
      values.providers === undefined &&
      'needs --providers; where all clients discover there is --nClients with --benchmarkType DISCOVER'
  },
  ...INSTEAD,
  bothRates('providerRate', 'discovererRate'),
  bothRates('discovererRate', 'providerRate'),
  {
    flag: 'providerRate',
    needs: [...BOTH, 'ttl'],
    refuse: ({ providers, providerRate, ttl }) =>
      providers / providerRate >= ttl &&
      `must be above ${significant(providers / ttl)}/s: each of ${grouped(providers)} providers is to register again within --ttl ${ttl}s`
  },
  {
    flag: 'arrivals',
    needs: BOTH,
    refuse: ({ arrivals, ...values }) =>
      hasRoles(values) &&
      ['ramp', 'steps', 'replay'].includes(arrivals.shape) &&
      'must be constant, poisson or sine with --providers and --discoverers: the others say one rate for all clients'
  }
]
