import { capital, MISSING, significant } from '../../../kit/numbers.js'
import { rateWords } from '../../../kit/rate-words.js'
import { tableFrom } from '../../../kit/table.js'
import { mind } from '../../../report/page/verdict.js'
import { doubtLegend, figure } from '../../../report/table.js'
import { faceOf } from '../../saturation/view/faces.js'
import { kneeSentences } from '../../saturation/view/knees.js'
import { letterOf } from '../comparison-document.js'
import { changeWords } from './change-words.js'

/**
 * @typedef {import('../loads.js').Release} Release
 * @typedef {import('../loads.js').LoadSeen} LoadSeen
 */

/** @param {LoadSeen | undefined} seen */
const carried = seen =>
  seen === undefined ? MISSING : `${significant(seen.throughput)}${seen.beyond ? ' ✗' : ''}`

/** Several trials of a search have the same load: the middle one by p50 stands for them. @param {readonly LoadSeen[]} loads @param {LoadSeen} at */
function seenAt(loads, at) {
  const same = loads
    .filter(({ size, perSecond }) => size === at.size && perSecond === at.perSecond)
    .sort((a, b) => (a.p50?.ms ?? 0) - (b.p50?.ms ?? 0))
  return same[Math.floor(same.length / 2)]
}

/** @param {readonly Release[]} releases @returns {LoadSeen[]} each load that any has tried, once */
function loadsOf(releases) {
  const all = new Map(
    releases.flatMap(({ loads }) => loads).map(load => [`${load.size} ${load.perSecond}`, load])
  )
  return [...all.values()].sort((a, b) => a.size - b.size || a.perSecond - b.perSecond)
}

/** @param {LoadSeen | undefined} base @param {LoadSeen | undefined} other */
const ratio = (base, other) =>
  base?.p50?.ms && other?.p50?.ms ? (other.p50.ms / base.p50.ms).toFixed(2) : MISSING

/**
 * loadTable has a row for each load.
 *
 * @param {readonly Release[]} releases - the first is the base
 * @returns {import('../../../kit/table.js').Table}
 */
export function loadTable(releases) {
  /** @typedef {{ load: LoadSeen, seen: (LoadSeen | undefined)[] }} Row */
  const each = (
    /** @type {(letter: string) => string} */ heading,
    /** @type {(row: Row, place: number) => string} */ cell,
    from = 0
  ) =>
    releases.slice(from).map((_, i) => ({
      heading: heading(letterOf(i + from)),
      cell: (/** @type {Row} */ row) => cell(row, i + from)
    }))
  return tableFrom(
    [
      { heading: faceOf(releases[0]).sizeSign, cell: ({ load }) => rateWords(load.size) },
      { heading: 'Rate /s', cell: ({ load }) => rateWords(load.perSecond) },
      ...each(
        letter => `Carried /s ${letter}`,
        ({ seen }, place) => carried(seen[place])
      ),
      ...each(
        letter => `p50 ms ${letter}`,
        ({ seen }, place) => figure(seen[place]?.p50)
      ),
      ...each(
        letter => `p50 ${letter} ÷ A`,
        ({ seen }, place) => ratio(seen[0], seen[place]),
        1
      ),
      ...each(
        letter => `p99 ms ${letter}`,
        ({ seen }, place) => figure(seen[place]?.p99)
      )
    ],
    loadsOf(releases).map(load => ({ load, seen: releases.map(({ loads }) => seenAt(loads, load)) }))
  )
}

/** What a study came to, and where slopes change. @param {Release} release @param {number} place @returns {string[]} */
function releaseLines(release, place) {
  const { label, answer, loads, rotationCame, rotationSlope, rotationSeconds } = release
  const knees = kneeSentences(
    loads.map(({ p50, ...load }) => ({ ...load, ms: p50?.ms ?? null })),
    faceOf(release)
  )
  const rotation =
    rotationCame === null
      ? []
      : [`While some came and went: ${rotationCame}; ${changeWords(rotationSlope, rotationSeconds)}.`]
  return [
    `${letterOf(place)} is ${label}: ${answer}`,
    ...[...knees, ...rotation].map(text => `${letterOf(place)}: ${text}`)
  ]
}

/**
 * describeLoads describes studies that tried loads, over one another.
 *
 * @param {readonly Release[]} releases
 * @returns {import('./description.js').Description}
 */
export function describeLoads(releases) {
  const face = faceOf(releases[0])
  const table = loadTable(releases)
  return {
    sentences: releases.flatMap(releaseLines),
    statements: [mind('Each load is a run or two of each: ratios, and no verdict.')],
    parts: [
      { id: 'times', title: `${capital(face.timeName)} against throughput` },
      {
        ...{ id: 'loads', title: 'Every load', tables: [table] },
        notes: [
          ...doubtLegend(table.rows.flat().join('\n'), face.added),
          '✗ beyond the saturation diagonal. Parts of a quality report are decided against a baseline: qa --baseline.'
        ]
      },
      { id: 'examined', title: 'The examined cells' },
      { id: 'rotation', title: 'Some come and go' }
    ]
  }
}
