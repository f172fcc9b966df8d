import { none, times } from '../../measure/figure.js'

/**
 * @typedef {import('../../measure/figure.js').Figure<Outcome>} Figure
 * @typedef {import('../../result/types.js').Summary} Summary
 * @typedef {import('./churn-schema.js').Churned} Churned
 * @typedef {import('../../plan/plan.js').Plan} Plan
 * @typedef {import('../../result/types.js').Result['outcome']} Outcome
 */

/** @param {Plan} plan */
const lacks = plan => (plan.churn == null ? '--churn' : null)

/** A share of fewer records is chance. */
const LIVE_RECORDS = 100

/** @param {string} name @param {string} title @param {'withDuplicates' | 'withoutDuplicates'} which @returns {Figure} */
const staleShare = (name, title, which) => ({
  name,
  title,
  quantity: 'share',
  better: 'lower',
  live: LIVE_RECORDS,
  lacks,
  read({ churn }) {
    const { records, stale } = churn?.discovered[which] ?? { records: 0, stale: 0 }
    return records === 0
      ? none('no record was discovered')
      : { value: (100 * stale) / records, samples: records }
  }
})

/**
 * @param {string} name
 * @param {string} title
 * @param {string} who - makes it a lower bound
 * @param {(churn: Churned) => Summary} of
 */
const timesOf = (name, title, who, of) =>
  times(
    {
      name,
      title,
      summary: (/** @type {Outcome} */ { churn }) => churn && of(churn),
      words: {
        nothing: 'no client that came meanwhile got so far',
        atLeast: `at least this: ${who} reach into it`
      }
    },
    { lacks }
  )

/** CHURN_FIGURES are those of clients that come and go, beside those of operations. @type {readonly Figure[]} */
export const CHURN_FIGURES = [
  staleShare('staleShare', 'Stale records', 'withDuplicates'),
  staleShare('staleShare.withoutDuplicates', 'Stale records, each once', 'withoutDuplicates'),
  {
    name: 'overdue',
    title: 'Overdue registrations',
    quantity: 'number',
    better: 'lower',
    live: 0,
    grows: true,
    lacks,
    read: (/** @type {Outcome} */ { churn }) =>
      churn == null ? none('clients stayed') : { value: churn.left.overdue, samples: 1 }
  },
  ...timesOf(
    'visibleDelay',
    'Registered → visible',
    'registrations that nobody saw',
    ({ visible }) => visible.delay.all
  ),
  ...timesOf(
    'firstDiscovery',
    'First discovery',
    'peers that discovered nobody',
    ({ firstDiscovery }) => firstDiscovery
  )
]
