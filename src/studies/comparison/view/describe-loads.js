import { capital, MISSING, significant } from '../../../kit/numbers.js'
import { rateWords } from '../../../kit/rate-words.js'
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

/**
 * loadTable has a row for each load.
 *
 * @param {readonly Release[]} releases - the first is the base
 * @returns {import('../../../kit/table.js').Table}
 */
export function loadTable(releases) {
  const { sizeSign } = faceOf(releases[0])
  const each = releases.map((_, place) => letterOf(place))
  return {
    headings: [
      sizeSign,
      'Rate /s',
      ...each.map(letter => `Carried /s ${letter}`),
      ...each.map(letter => `p50 ms ${letter}`),
      ...each.slice(1).map(letter => `p50 ${letter} ÷ A`),
      ...each.map(letter => `p99 ms ${letter}`)
    ],
    align: ['r', 'r', ...Array(4 * each.length - 1).fill('r')],
    rows: loadsOf(releases).map(load => {
      const seen = releases.map(({ loads }) => seenAt(loads, load))
      const ratio = (/** @type {LoadSeen | undefined} */ other) =>
        seen[0]?.p50?.ms && other?.p50?.ms ? (other.p50.ms / seen[0].p50.ms).toFixed(2) : MISSING
      return [
        rateWords(load.size),
        rateWords(load.perSecond),
        ...seen.map(carried),
        ...seen.map(one => figure(one?.p50)),
        ...seen.slice(1).map(ratio),
        ...seen.map(one => figure(one?.p99))
      ]
    })
  }
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
