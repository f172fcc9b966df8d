// Compares studies of several releases (`saturate` or `qa` folders) by the load that each release sustained.
import { join } from 'node:path'
import { capitalize, formatCount } from '../../kit/numbers.js'
import {
  keepPlotWithSeries,
  makeTable,
  makeTimeCell,
  overlayPlots,
  roundToFourDigits
} from '../../report/description.js'
import { ResultFileError, readResultFile } from '../../report/read-result.js'
import { accumulateThroughput } from '../qa/qa-document.js'
import { QA_STUDY } from '../qa/study.js'
import { SATURATE_STUDY } from '../saturate/study.js'
import { findKnees, findTerms, listMeasuredCells } from '../saturate/trials.js'
import { readFolderKind, STUDY_DOCUMENTS } from '../study-folders.js'
import { sideLetter } from './comparison-document.js'

/**
 * @typedef {import('../../scenarios/index.js').AnyResult} AnyResult
 * @typedef {import('../../report/schema.js').Percentile} Percentile
 * @typedef {import('../saturate/trials.js').AnyTrial} AnyTrial
 * @typedef {import('../../scenarios/index.js').LoadScenario} LoadScenario
 *
 * @typedef {object} ReleaseLoad - the figures of a load
 * @property {number} size - connections, or nodes
 * @property {number} perSecond - that was offered
 * @property {number} load - by which cells are ordered
 * @property {number} throughput - per second
 * @property {Percentile | null} p50
 * @property {Percentile | null} p99 - null: too few samples
 * @property {boolean} beyond - it was not sustained
 *
 * @typedef {object} Release - a study of the loads of a release
 * @property {string} label - its folder, as it was given
 * @property {string} id
 * @property {string} startedAt
 * @property {string} scenario
 * @property {Record<string, unknown>} options - of its plans
 * @property {string} answer - in a sentence
 * @property {ReleaseLoad[]} loads
 * @property {import('../../measure/statistics.js').SlopeChange | null} rotationSlope - of a quality report, when throughput under churn changed
 * @property {string | null} rotationCame
 * @property {number} rotationSeconds
 * @property {{ examined: AnyResult | null, rotation: AnyResult | null }} runs - of a quality report, where they can be read
 */

/** Studies that can be compared like this. */
const STUDIES = { saturate: SATURATE_STUDY, qa: QA_STUDY }

/** @param {string | null} kind @returns {kind is keyof typeof STUDIES} */
const triesLoads = kind => kind !== null && Object.hasOwn(STUDIES, kind)

/**
 * areLoadStudies says whether all folders are of studies that tried loads.
 *
 * @param {readonly string[]} folders
 */
export async function areLoadStudies(folders) {
  const kinds = await Promise.all(folders.map(folder => readFolderKind(folder).catch(() => null)))
  return folders.length > 1 && kinds.every(triesLoads)
}

/** @param {'saturate' | 'qa'} kind @param {any} document @returns {AnyTrial[]} */
function trialsOf(kind, document) {
  if (kind === 'qa') return document.grid.cells
  return document.grid?.cells ?? document.search?.trials ?? []
}

/** @param {AnyTrial} trial @param {import('../../scenarios/saturation.js').TrialView} view @returns {ReleaseLoad[]} */
const readLoad = (trial, view) =>
  listMeasuredCells([trial]).map(({ size, load, beyond, point }) => ({
    ...{ size, perSecond: trial.perSecond, load, beyond },
    throughput: view.throughputOf(point),
    p50: point.rt.p50 ?? null,
    p99: point.rt.p99 ?? null
  }))

/** @param {string} folder @param {string | null | undefined} run @param {LoadScenario} find */
const resultOf = (folder, run, find) =>
  run == null ? null : readResultFile(join(folder, run), find).catch(() => null)

/**
 * readRelease reads a study that tried loads.
 *
 * @param {string} folder
 * @param {LoadScenario} find
 * @returns {Promise<Release>}
 * @throws {ResultFileError}
 */
export async function readRelease(folder, find) {
  const kind = await readFolderKind(folder)
  if (!triesLoads(kind)) throw new ResultFileError(folder, 'contains no loads that were tried')
  const { file, read } = STUDY_DOCUMENTS[kind]
  const document = /** @type {any} */ (await read(folder))
  if (document === null) throw new ResultFileError(folder, `contains no ${file} that can be read`)
  const { scenario = 'rendezvous', options = {}, id, startedAt, rotation = null, examined = null } = document
  const view = findTerms({ scenario, options })
  return {
    ...{ label: folder.replace(/\/+$/, ''), id, startedAt, scenario, options },
    answer: /** @type {any} */ (STUDIES[kind]).inLine({ ...document, held: null })[1],
    loads: trialsOf(kind, document).flatMap(trial => readLoad(trial, view)),
    rotationSlope: rotation?.slope ?? null,
    rotationCame: rotation?.came ?? null,
    rotationSeconds: (rotation?.plan?.durationMs ?? 0) / 1000,
    runs: {
      examined: await resultOf(folder, examined?.trials[0]?.run, find),
      rotation: await resultOf(folder, rotation?.run, find)
    }
  }
}

/**
 * @typedef {import('../../scenarios/saturation.js').TrialView} TrialView
 * @typedef {import('../../report/schema.js').Description} Description
 * @typedef {import('../../report/schema.js').Plot} Plot
 * @typedef {import('../../report/description.js').DescribedRun} DescribedRun
 *
 * @typedef {{ load: ReleaseLoad, measured: (ReleaseLoad | undefined)[] }} Row - a load, and what came of it on each side
 */

/** @template Row @typedef {import('../../report/description.js').ColumnOf<Row>} ColumnOf */

/** More points of a line cannot be seen. */
const MAX_POINTS = 300

/** The figures of a release at a load: of several trials the median by p50. @param {readonly ReleaseLoad[]} loads @param {ReleaseLoad} at */
function measuredAt(loads, at) {
  const same = loads
    .filter(({ size, perSecond }) => size === at.size && perSecond === at.perSecond)
    .sort((a, b) => (a.p50?.ms ?? 0) - (b.p50?.ms ?? 0))
  return same[Math.floor(same.length / 2)]
}

/** All loads that were tried, each once. @param {readonly Release[]} releases @returns {Row[]} */
function rowsOf(releases) {
  const all = new Map(
    releases.flatMap(({ loads }) => loads).map(load => [`${load.size} ${load.perSecond}`, load])
  )
  return [...all.values()]
    .sort((a, b) => a.size - b.size || a.perSecond - b.perSecond)
    .map(load => ({ load, measured: releases.map(({ loads }) => measuredAt(loads, load)) }))
}

/** @param {ReleaseLoad | undefined} base @param {ReleaseLoad | undefined} other */
const change = (base, other) =>
  base?.p50?.ms && other?.p50?.ms ? 100 * (other.p50.ms / base.p50.ms - 1) : null

/** A row for each load. @param {readonly Release[]} releases @param {TrialView} view */
function loadsTable(releases, view) {
  /** A column for each side. @param {string} heading @param {(row: Row, place: number) => import('../../report/schema.js').Cell | undefined} of @returns {ColumnOf<Row>[]} */
  const each = (heading, of) =>
    releases.map((_, place) => [`${heading} ${sideLetter(place)}`, row => of(row, place), 'number'])
  /** @param {ColumnOf<Row>[]} columns @returns {ColumnOf<Row>[]} */
  const wide = columns => columns.map(([heading, of, kind]) => [heading, of, kind, 'wide'])
  return {
    ...makeTable('loads', 'Every load', rowsOf(releases), [
      [capitalize(view.many), ({ load }) => load.size, 'count'],
      ['Offered /s', ({ load }) => load.perSecond, 'number'],
      ...each('p50 ms', ({ measured }, place) => makeTimeCell(measured[place]?.p50)),
      ...each('Change %', ({ measured }, place) =>
        place === 0 ? null : change(measured[0], measured[place])
      ),
      [
        'Not sustained',
        ({ measured }) =>
          measured.flatMap((load, place) => (load?.beyond ? sideLetter(place) : [])).join(', ') || null,
        'text'
      ],
      ...wide(each('Carried /s', ({ measured }, place) => measured[place]?.throughput)),
      ...wide(each('p99 ms', ({ measured }, place) => makeTimeCell(measured[place]?.p99)))
    ]),
    note: 'Each load is a run or two on each side: changes of p50 from A, without a verdict.'
  }
}

/** @param {Release} release */
const findMaxThroughput = ({ loads }) => Math.max(0, ...loads.map(({ throughput }) => throughput))

/** @param {readonly Release[]} releases @param {TrialView} view */
const sidesTable = (releases, view) => ({
  ...makeTable(
    'sides',
    'What is compared',
    releases.map((release, place) => ({ release, place })),
    [
      ['Side', ({ place }) => sideLetter(place), 'text'],
      ['Study', ({ release }) => release.label, 'text'],
      ['Date', ({ release }) => release.startedAt.slice(0, 10), 'text'],
      [`Most carried, ${view.throughputName}`, ({ release }) => findMaxThroughput(release), 'number', 'wide'],
      ['Result', ({ release }) => release.answer, 'text', 'wide']
    ]
  ),
  terminal: true
})

/** @param {readonly Release[]} releases @param {TrialView} view */
const kneesTable = (releases, view) =>
  makeTable(
    'knees',
    'Knees of p50',
    releases.flatMap(({ loads }, place) =>
      findKnees(loads.map(({ p50, ...load }) => ({ ...load, ms: p50?.ms ?? null }))).map(knee => ({
        ...knee,
        place
      }))
    ),
    [
      ['Side', ({ place }) => sideLetter(place), 'text'],
      [capitalize(view.many), ({ size }) => size, 'count'],
      [`Load, ${view.loads}/s`, ({ at }) => at, 'number'],
      ['Before, ms per 1,000/s', ({ before }) => 1000 * before, 'number'],
      ['From then on', ({ after }) => 1000 * after, 'number']
    ],
    { note: 'The load from which p50 rises more steeply.' }
  )

/** When throughput under churn changed. @param {readonly Release[]} releases */
const churnTable = releases =>
  makeTable(
    'churn',
    'Throughput under churn',
    releases.flatMap((release, place) => (release.rotationCame === null ? [] : [{ release, place }])),
    [
      ['Side', ({ place }) => sideLetter(place), 'text'],
      ['Result', ({ release }) => release.rotationCame, 'text'],
      ['Changed after s', ({ release }) => release.rotationSlope?.at, 's'],
      ['Before, in a second', ({ release }) => release.rotationSlope?.before, 'number'],
      ['From then on', ({ release }) => release.rotationSlope?.after, 'number'],
      ['Watched s', ({ release }) => release.rotationSeconds, 's']
    ]
  )

/** Times against throughput, a line for each side and size. @param {readonly Release[]} releases @param {TrialView} view @param {'p50' | 'p99'} name @returns {Plot[]} */
function loadPlot(releases, view, name) {
  const sizes = [...new Set(releases.flatMap(({ loads }) => loads.map(({ size }) => size)))].sort(
    (a, b) => a - b
  )
  const series = releases.flatMap(({ loads }, place) =>
    sizes.flatMap(size => {
      const values = loads
        .filter(load => load.size === size && Number(load[name]?.ms) > 0 && load.throughput > 0)
        .sort((a, b) => a.perSecond - b.perSecond)
        .map(load => [roundToFourDigits(load.throughput), roundToFourDigits(Number(load[name]?.ms))])
      const label = `${sideLetter(place)}, ${formatCount(size, view.one, view.many)}`
      return values.length === 0 ? [] : [{ label, values }]
    })
  )
  return keepPlotWithSeries({
    ...{ id: `loads-${name}`, title: `${name} of the ${view.timeName} against throughput` },
    ...{ kind: 'lines', x: `Throughput, ${view.throughputName}`, y: `${name}, ms` },
    ...{ logY: true, series, ...(name === 'p99' && { main: true }) }
  })
}

/** Operations or deliveries since the start of runs. @param {readonly Release[]} releases @param {{ which: 'examined' | 'rotation', title: string, loads: string }} how @returns {Plot[]} */
function carriedPlot(releases, { which, title, loads }) {
  const carried = releases.flatMap(({ runs: { [which]: result } }, place) =>
    result === null ? [] : [{ label: sideLetter(place), ...accumulateThroughput(result) }]
  )
  const series = carried.flatMap(({ label, points }) => {
    const step = Math.ceil(points.length / MAX_POINTS)
    const values = points.filter((_, i) => i % step === 0 || i === points.length - 1)
    return values.length === 0 ? [] : [{ label, values: values.map(({ x, y }) => [x, y]) }]
  })
  const marks = carried.flatMap(({ label, slope }) =>
    slope === null ? [] : [{ x: roundToFourDigits(slope.at), label: `${label} changes` }]
  )
  return keepPlotWithSeries({
    ...{ id: `carried-${which}`, title, kind: 'lines' },
    note: 'The slope is the throughput.',
    ...{ x: 'Time since the start of the measurement, s', y: `${capitalize(loads)} since the start` },
    ...{ series, ...(marks.length > 0 && { marks }) }
  })
}

/**
 * describeReleases describes releases by the loads that they sustain.
 *
 * @param {readonly Release[]} releases - the first is the base
 * @param {{ runs?: readonly DescribedRun[] }} [of] - runs of the examined cells, described
 * @returns {Description}
 */
export function describeReleases(releases, { runs = [] } = {}) {
  const view = findTerms(releases[0])
  const lettered = releases.map((release, place) => ({ release, letter: sideLetter(place) }))
  const tables = [
    loadsTable(releases, view),
    sidesTable(releases, view),
    kneesTable(releases, view),
    churnTable(releases)
  ]
  return {
    title: releases.map(({ label }) => label).join(' against '),
    headline: lettered
      .map(({ release, letter }) => `${letter}: ${release.answer.replace(/\.$/, '')}`)
      .join('; ')
      .concat('.'),
    tiles: lettered
      .slice(0, 4)
      .map(({ release, letter }) => [`Most carried by ${letter}`, findMaxThroughput(release), 'perSecond']),
    tables: tables.filter(({ rows }) => rows.length > 0),
    plots: [
      ...loadPlot(releases, view, 'p99'),
      ...loadPlot(releases, view, 'p50'),
      ...carriedPlot(releases, {
        which: 'examined',
        title: 'Carried in the examined cell',
        loads: view.loads
      }),
      ...carriedPlot(releases, { which: 'rotation', title: 'Carried under churn', loads: view.loads }),
      ...overlayPlots(runs)
    ],
    warnings: []
  }
}
