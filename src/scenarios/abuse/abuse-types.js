/**
 * The shapes of a result of this scenario; the documents are described by abuse-schema.js.
 *
 * @typedef {import('../../result/types.js').Shape<typeof import('./abuse-schema.js').outcome>} AbuseOutcome
 * @typedef {AbuseOutcome['cases'][number]} CaseRow
 * @typedef {CaseRow['pairs'][number]} Pair
 * @typedef {Pair['quiet']} Stretch
 * @typedef {NonNullable<CaseRow['p50']>} RatioRow
 * @typedef {import('./abuse-plan.js').AbusePlan} AbusePlan
 *
 * @typedef {Omit<import('../../result/types.js').Result, 'scenario' | 'plan' | 'outcome'> &
 *   { scenario: 'abuse', plan: AbusePlan, outcome: AbuseOutcome }} AbuseResult
 */

export {}
