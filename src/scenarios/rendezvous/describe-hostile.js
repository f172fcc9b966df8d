import { counted, significant, spell } from '../../kit/numbers.js'
import { leadInMs } from '../../load/hostile-stretches.js'
import { table } from '../../report/description/tables.js'
import { megabytes, percent } from '../../report/description/values.js'
import { outcomesText } from './describe-server.js'
import { hostileText, KINDS } from './plan/hostile-options.js'

/**
 * What a run with hostile peers beside its clients says.
 *
 * @typedef {import('../../result/types.js').HostileOutcome} HostileOutcome
 * @typedef {import('../../report/description/description.js').Plot} Plot
 * @typedef {import('../../report/description/description.js').Cell} Cell
 */

/** Why a pair is set aside. */
const ASIDE = {
  NOT_CALM: 'the server was still busy with hostile peers when a stretch began',
  STOLEN: 'other guests of the host took more than 1 % of the cores'
}

/**
 * hostileTables have a row of quiet stretches and one of hostile ones, then each stretch.
 *
 * @param {import('../../result/types.js').Result} result
 * @returns {import('../../report/description/description.js').DescribedTable[]}
 */
export function hostileTables({ plan, outcome: { hostile } }) {
  if (hostile === undefined) return []
  const { p50, p99, count, failed, longestTurnMs, rssBytes, cpuPercent, left } = hostile
  const sides = /** @type {const} */ (['quiet', 'hostile'])
  const ofHostile = (/** @type {string} */ side, /** @type {Cell | undefined} */ value) =>
    side === 'quiet' ? null : (value ?? null)
  const times = (/** @type {typeof p50} */ ratio, /** @type {'quiet' | 'hostile'} */ side) =>
    ratio === null ? null : bound(ratio[`${side}Ms`], side === 'hostile' && ratio.atLeast)
  const asked = plan.hostile ?? {}
  return [
    table(
      'hostile-peers',
      'Hostile peers',
      [...sides],
      [
        ['Stretches', side => side, 'text'],
        ['Operations', side => count[side], 'count'],
        ['Failed', side => failed[side], 'count'],
        ['p50', side => times(p50, side), 'ms'],
        ['p99', side => times(p99, side), 'ms'],
        ['× p50', side => ofHostile(side, p50 && bound(p50.ratio, p50.atLeast)), 'number'],
        ['× p99', side => ofHostile(side, p99 && bound(p99.ratio, p99.atLeast)), 'number'],
        ['× p99 from', side => ofHostile(side, p99?.low), 'number', 'wide'],
        ['× p99 to', side => ofHostile(side, p99?.high), 'number', 'wide'],
        ['CPU %', side => cpuPercent[side], 'percent'],
        ['Memory MB', side => megabytes(rssBytes[side]), 'MB'],
        ['Heap left %', side => ofHostile(side, percent(left?.heap)), 'percent', 'wide'],
        ['External left %', side => ofHostile(side, percent(left?.external)), 'percent', 'wide'],
        ['Longest turn ms', side => longestTurnMs[side], 'ms'],
        ['Recovery ms', side => ofHostile(side, bound(hostile.recoveryMs, !hostile.recovered)), 'ms'],
        ['Not sent %', side => ofHostile(side, percent(hostile.notSent)), 'percent']
      ],
      { terminal: true, note: noteOf(plan, hostile) }
    ),
    table(
      'stretches',
      'Stretches',
      hostile.pairs.flatMap(({ setAside, ...pair }, i) => {
        const both = [
          { pair: i + 1, setAside, stretch: pair.quiet, hostile: null },
          { pair: i + 1, setAside, stretch: pair.hostile, hostile: pair.hostile }
        ]
        return pair.hostileFirst ? both.reverse() : both
      }),
      [
        ['Pair', ({ pair }) => pair, 'count'],
        ['Stretch', row => (row.hostile === null ? 'quiet' : 'hostile'), 'text'],
        ['Operations', ({ stretch }) => stretch.count, 'count'],
        ['Failed', ({ stretch }) => stretch.failed, 'count'],
        ['By outcome', ({ stretch }) => outcomesText(stretch.failures), 'text'],
        ['p50 ms', ({ stretch }) => bound(stretch.p50Ms, stretch.censored.p50), 'ms'],
        ['p99 ms', ({ stretch }) => bound(stretch.p99Ms, stretch.censored.p99), 'ms'],
        ['Longest turn ms', ({ stretch }) => stretch.longestTurnMs, 'ms'],
        ['Memory MB', ({ stretch }) => megabytes(stretch.rssBytes), 'MB'],
        ['CPU %', ({ stretch }) => stretch.cpuPercent, 'percent'],
        ['Not sent %', row => percent(row.hostile?.notSent), 'percent'],
        ['Recovery ms', row => row.hostile && bound(row.hostile.recoveryMs, !row.hostile.recovered), 'ms'],
        ['Set aside', ({ setAside }) => setAside && ASIDE[setAside], 'text']
      ],
      {
        note: 'In the order they were measured in. Recovery: from the end of hostile peers until 9 of 10 operations took no longer than in quiet stretches, at a resolution of 250 ms.'
      }
    ),
    table('kinds', 'What hostile peers did', Object.entries(asked), [
      ['Kind', ([kind]) => kind, 'text'],
      ['Times its usual rate', ([, times]) => times, 'count'],
      ['What', ([kind]) => KINDS[kind]?.what ?? '', 'text']
    ])
  ]
}

/** @param {import('../../plan/plan.js').Plan} plan @param {HostileOutcome} hostile */
function noteOf({ hostile: asked = {}, hostileEveryMs }, { pairs, unfinished, spreads, priority }) {
  const everyMs = Number(hostileEveryMs)
  const aside = Object.entries(ASIDE).flatMap(([code, why]) => {
    const { length } = pairs.filter(({ setAside }) => setAside === code)
    return length === 0 ? [] : `${length} set aside: ${why}`
  })
  const all = [
    `${counted(pairs.length, 'pair')} of stretches`,
    ...aside,
    ...(unfinished > 0 ? [`${unfinished} not over when the load ended`] : [])
  ]
  return [
    `${hostileText(asked)}: ${all.join('; ')}. Stretches of ${spell(everyMs)} take turns, each ${spell(leadInMs(everyMs))} after hostile peers began or the server was calm.`,
    'Failed operations count as longer than any that was answered. ×: hostile ÷ quiet by pairs of stretches, with its 95 % interval. Left: in use by the server behind the load ÷ before it, with what clients registered.',
    `${spreads ? 'Peers have addresses of their own' : 'All peers share one address, and the limits for it'}; priority of hostile peers: ${priority ?? 'none ran'}.`
  ].join(' ')
}

/** hostileWords end the headline of such a run. @param {import('../../result/types.js').Result} result */
export function hostileWords({ outcome: { hostile } }) {
  const ratio = hostile?.p99 ?? hostile?.p50
  if (hostile === undefined || ratio == null) return ''
  const { quietMs, hostileMs, low, high, atLeast } = ratio
  const which = hostile.p99 === null ? 'p50' : 'p99'
  const times =
    low === null || high === null
      ? ''
      : ` (${significant(low)} to ${significant(high)} times as long, 95 % interval)`
  return ` Beside hostile peers ${which} was ${atLeast ? 'at least ' : ''}${significant(hostileMs)} ms, without them ${significant(quietMs)} ms${times}.`
}

/** hostilePlots are response times of stretches in turn. @param {import('../../result/types.js').Result} result @returns {Plot[]} */
export function hostilePlots({ outcome: { hostile } }) {
  if (hostile === undefined || hostile.p50 === null) return []
  /** @type {('p50Ms' | 'p99Ms')[]} */
  const keys = hostile.p99 === null ? ['p50Ms'] : ['p50Ms', 'p99Ms']
  return [
    {
      id: 'stretches',
      title: 'Response time beside hostile peers',
      kind: 'lines',
      x: 'Pair of stretches',
      y: 'Response time, ms',
      logY: true,
      compared: true,
      series: keys.flatMap(key =>
        /** @type {const} */ (['quiet', 'hostile']).map(side => ({
          label: `${key.slice(0, 3)} ${side}`,
          values: hostile.pairs.map((pair, i) => [i + 1, pair[side][key]])
        }))
      )
    }
  ]
}

/** @param {number | null} ms @param {boolean} [censored] @returns {Cell} */
const bound = (ms, censored) => (ms !== null && censored ? { atLeast: ms } : ms)
