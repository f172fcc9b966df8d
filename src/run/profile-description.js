// Describes CPU and heap profiles for results and reports: their schema, tables and flame graphs, and the comparison of
// two runs.
import { z } from 'zod'
import { capitalize, formatSignificant } from '../kit/numbers.js'
import { makeFactsTable, makeTable } from '../report/description.js'
import { count, number, text } from '../report/schema.js'
import { CATEGORIES, compareHotSpots } from './profiles.js'

/**
 * @typedef {import('../report/schema.js').DescribedTable} DescribedTable
 * @typedef {import('../report/schema.js').Plot} Plot
 * @typedef {import('../report/schema.js').Frame} Frame
 * @typedef {import('../report/schema.js').Description} Description
 * @typedef {import('./profiles.js').CpuSummary} CpuSummary
 * @typedef {import('./profiles.js').AllocationSummary} AllocationSummary
 * @typedef {import('./profiles.js').ProfileSummary} ProfileSummary
 * @typedef {import('./profiles.js').TimeShares} TimeShares
 * @typedef {Pick<import('./profiles.js').HotSpots, 'categories' | 'packages' | 'functions'>} HotSpots
 * @typedef {ProfileSummary & { profiles?: readonly SampledPart[] }} OutcomeWithProfiles - `profiles`: where processes are of several kinds
 * @typedef {ProfileSummary & { of?: import('./profiles.js').ProcessKind }} SampledPart
 */

/** Share of the whole: shorter calls are not drawn. */
const MIN_DRAWN = 0.002

/** Only the longest calls are drawn. */
const MAX_FRAMES = 700

/** @param {number} share - 0 to 1 */
const percent = share => Number((100 * share).toPrecision(4))

/** @type {import('../report/description.js').ColumnOf<TimeShares>[]} */
const SHARES = [
  ['Self %', ({ selfShare }) => percent(selfShare), 'percent'],
  ['Total %', ({ totalShare }) => percent(totalShare), 'percent']
]

/**
 * @param {string} id - what the ids begin with
 * @param {string} what - has the shares
 * @param {HotSpots} hotSpots
 * @param {{ note: string, terminal: boolean, heading: string }} more
 * @returns {DescribedTable[]}
 */
const describeHotSpotTables = (id, what, { categories, packages, functions }, { heading, ...more }) => [
  makeTable(
    `${id}-by-category`,
    `${what} by category`,
    categories,
    [[heading, ({ category }) => category, 'text'], ...SHARES],
    more
  ),
  makeTable(`${id}-by-package`, `${what} by package`, packages, [
    ['Package', row => row.package, 'text'],
    ...SHARES
  ]),
  makeTable(`${id}-by-function`, `${what} by function`, functions, [
    ['Function', row => row.function, 'text'],
    ['Category', ({ category }) => category, 'text'],
    ['Package', row => row.package, 'text'],
    ['Where', ({ url, line }) => url && (line === null ? url : `${url}:${line}`), 'text'],
    ...SHARES
  ])
]

/** @type {Record<string, Record<'id' | 'title' | 'heading', string>>} */
const PROCESS_NAMES = {
  server: { id: 'server-', title: ' of the server', heading: 'Category, server' },
  workers: { id: 'workers-', title: ' of the workers', heading: 'Category, workers' }
}

/** nameProcesses gives the part of ids, titles and headings that names the processes. @param {SampledPart} sampled */
const nameProcesses = ({ of }) =>
  of === undefined ? { id: '', title: '', heading: 'Category' } : PROCESS_NAMES[of]

/** @param {OutcomeWithProfiles} outcome @returns {readonly SampledPart[]} */
const listSampledParts = outcome => outcome.profiles ?? [outcome]

/** isProfiled says whether processes of a run were sampled, which makes its times longer. @param {OutcomeWithProfiles} outcome */
export const isProfiled = outcome =>
  listSampledParts(outcome).some(({ profile, allocations }) => profile || allocations)

/** @param {SampledPart} sampled @param {CpuSummary} profile */
function describeCpuTables(sampled, { hotSpots, files, workers, intervalMicros }) {
  const { id, title, heading } = nameProcesses(sampled)
  return [
    ...describeHotSpotTables(`${id}hot-spots`, `CPU time${title}`, hotSpots, {
      heading,
      note: 'Shares of busy CPU time. Total: including the functions called.',
      terminal: true
    }),
    {
      ...makeFactsTable(`${id}cpu-sampling`, `CPU sampling${title}`, [
        ['Samples', hotSpots.samples, 'count'],
        ['Interval', intervalMicros / 1000, 'ms'],
        ['Processes', workers.length, 'count'],
        ['Time sampled, processes added up', hotSpots.durationMs / 1000, 's'],
        ['Busy', percent(hotSpots.busyShare), 'percent'],
        ['Idle', percent(hotSpots.idleShare), 'percent'],
        ['Files', files.length > 0 ? files.join(', ') : null, 'text']
      ]),
      note: 'Sampled during the measured phase. Developer tools of browsers, editors and speedscope open .cpuprofile files.'
    }
  ]
}

/** @param {SampledPart} sampled @param {AllocationSummary} allocated */
function describeAllocationTables(sampled, { samples, bytes, files, workers, intervalBytes, ...hotSpots }) {
  const { id, title, heading } = nameProcesses(sampled)
  return [
    ...describeHotSpotTables(`${id}allocations`, `Allocations${title}`, hotSpots, {
      heading,
      note: 'Shares of all bytes allocated, garbage included. Total: including the functions called.',
      // the table of CPU time comes first on a terminal
      terminal: !sampled.profile
    }),
    {
      ...makeFactsTable(`${id}heap-sampling`, `Heap sampling${title}`, [
        ['Allocated', bytes / 1e6, 'MB'],
        ['Samples', samples, 'count'],
        ['Allocated per sample, about, kB', intervalBytes / 1000],
        ['Processes', workers.length, 'count'],
        ['Files', files.length > 0 ? files.join(', ') : null, 'text']
      ]),
      note: 'Sampled during the measured phase. Developer tools of browsers and editors open .heapprofile files.'
    }
  ]
}

/**
 * describeProfileTables shows where CPU time and allocations went.
 *
 * @param {{ outcome: OutcomeWithProfiles }} result
 * @returns {DescribedTable[]} none: nothing was sampled
 */
export const describeProfileTables = ({ outcome }) =>
  listSampledParts(outcome).flatMap(sampled => [
    ...(sampled.profile ? describeCpuTables(sampled, sampled.profile) : []),
    ...(sampled.allocations ? describeAllocationTables(sampled, sampled.allocations) : [])
  ])

/**
 * The frames that are large enough to be seen, from the root.
 *
 * @param {any} root
 * @param {{ total: string, self: string, divisor?: number }} keys - of the values of a call: with all it called, by itself
 * @returns {Frame}
 */
function makeFlames(root, { total, self, divisor = 1 }) {
  /** @param {any} call @returns {number[]} */
  const totals = call => [call[total], ...call.children.flatMap(totals)]
  const threshold = Math.max(
    MIN_DRAWN * Number(totals(root)[0]),
    totals(root).sort((a, b) => b - a)[MAX_FRAMES] ?? 0
  )
  const four = (/** @type {number} */ value) => Number((value / divisor).toPrecision(4))
  /** @param {any} call @returns {Frame} */
  const frame = call => {
    const children = call.children.filter((/** @type {any} */ child) => child[total] >= threshold)
    return {
      name: call.name,
      value: four(call[total]),
      ...(call[self] > 0 && { self: four(call[self]) }),
      category: call.category,
      ...(children.length > 0 && { children: children.map(frame) })
    }
  }
  return frame(root)
}

const READING = 'Callers above the functions they call, each as wide as its share.'

/**
 * describeProfilePlots draws flame graphs.
 *
 * @param {{ outcome: OutcomeWithProfiles }} result
 * @returns {Plot[]}
 */
export const describeProfilePlots = ({ outcome }) => listSampledParts(outcome).flatMap(flameGraphs)

/** @param {SampledPart} sampled @returns {Plot[]} */
function flameGraphs(sampled) {
  const { profile, allocations } = sampled
  const { id, title } = nameProcesses(sampled)
  /** @type {Plot[]} */
  const plots = []
  if (profile && profile.folded.totalMs > 0)
    plots.push({
      id: `${id}flame-graph`,
      kind: 'flame',
      title: `Flame graph of CPU time${title}`,
      note: `${READING} In ms of busy time, all sampled processes together.`,
      root: makeFlames(profile.folded, { total: 'totalMs', self: 'selfMs' })
    })
  if (allocations && allocations.folded.totalBytes > 0)
    plots.push({
      id: `${id}allocation-graph`,
      kind: 'flame',
      title: `Flame graph of allocations${title}`,
      note: `${READING} In kB, all sampled processes together.`,
      root: makeFlames(allocations.folded, { total: 'totalBytes', self: 'selfBytes', divisor: 1000 })
    })
  return plots
}

/** The categories with the most self time. @param {SampledPart} sampled */
const topCategories = ({ profile, allocations }) =>
  ((profile?.hotSpots ?? allocations)?.categories ?? []).filter(({ selfShare }) => selfShare > 0).slice(0, 3)

/**
 * describeMainCategories names the categories that took most CPU time, or that allocated most.
 *
 * @param {OutcomeWithProfiles} outcome
 * @returns {string} a sentence; empty: nothing was sampled
 */
export const describeMainCategories = outcome =>
  listSampledParts(outcome)
    .flatMap(sampled => {
      const named = topCategories(sampled).map(
        ({ category, selfShare }) => `${category} ${formatSignificant(100 * selfShare)} %`
      )
      if (named.length === 0) return []
      const what = sampled.profile ? 'Most CPU time' : 'Most allocations'
      return [
        `${what}${nameProcesses(sampled).title}${sampled.profile ? ' went to' : ' were made by'} ${named.join(', ')}`
      ]
    })
    .join('; ')

/**
 * describeProfileTiles are the main figures of a profile.
 *
 * @param {OutcomeWithProfiles} outcome
 * @returns {Description['tiles']}
 */
export function describeProfileTiles(outcome) {
  const [first] = listSampledParts(outcome)
  /** @type {Description['tiles']} */
  const shares = topCategories(first).map(({ category, selfShare }) => [
    category === 'libp2p' ? category : category === 'gc' ? 'Garbage collection' : capitalize(category),
    percent(selfShare),
    'percent'
  ])
  if (first.profile) return [...shares, ['Busy time', percent(first.profile.hotSpots.busyShare), 'percent']]
  return first.allocations ? [...shares, ['Allocated', first.allocations.bytes / 1e6, 'MB']] : shares
}

/** NO_TIMES_NOTE stands in place of response times. */
export const NO_TIMES_NOTE = 'no times: sampling slows them'

/** @typedef {any} AnyResult - of a load whose processes were sampled */

/** The categories of CPU time, with the kind of the sampled processes. @param {AnyResult} result */
const readCpuCategories = ({ outcome }) =>
  listSampledParts(outcome).flatMap(sampled =>
    sampled.profile ? [{ of: sampled.of, categories: sampled.profile.hotSpots.categories }] : []
  )

/** @param {AnyResult} base @param {AnyResult} candidate */
const listDifferences = (base, candidate) =>
  readCpuCategories(base).flatMap(({ of, categories }) => {
    const other = readCpuCategories(candidate).find(each => each.of === of)
    return other === undefined
      ? []
      : compareHotSpots({ categories }, other).map(difference => ({ ...(of && { of }), ...difference }))
  })

/** @param {ReturnType<typeof listDifferences>} differences */
function describeLargestDifference(differences) {
  const [first] = differences.toSorted((a, b) => Math.abs(b.selfPoints) - Math.abs(a.selfPoints))
  if (first === undefined) return 'No CPU time was sampled in either run.'
  const { category, base, candidate, selfPoints } = first
  const [before, after] = [base, candidate].map(({ selfShare }) => `${(100 * selfShare).toFixed(1)} %`)
  return selfPoints === 0
    ? 'Both runs spent their CPU time alike.'
    : `The largest difference${nameProcesses(first).title}: ${category}, ${before} of the busy CPU time in A, ${after} in B.`
}

/**
 * Shares of the busy CPU time, and their changes in percentage points.
 *
 * @param {AnyResult} base
 * @param {AnyResult} candidate
 * @returns {Description}
 */
function describeDifferences(base, candidate) {
  const differences = listDifferences(base, candidate)
  const several = differences.some(({ of }) => of !== undefined)
  return {
    title: `${base.id} against ${candidate.id}`,
    headline: describeLargestDifference(differences),
    tiles: differences
      .slice(0, 4)
      .map(({ category, selfPoints }) => [`${category}, points`, selfPoints, 'number']),
    tables: [
      {
        ...makeTable('cpu-time-by-category', 'CPU time by category', differences, [
          .../** @type {import('../report/description.js').ColumnOf<typeof differences[number]>[]} */ (
            several ? [['Of', ({ of }) => of, 'text']] : []
          ),
          ['Category', ({ category }) => category, 'text'],
          ['Self % A', ({ base }) => 100 * base.selfShare, 'percent'],
          ['Self % B', ({ candidate }) => 100 * candidate.selfShare, 'percent'],
          ['Points', ({ selfPoints }) => selfPoints, 'number'],
          ['Total % A', ({ base }) => 100 * base.totalShare, 'percent', 'wide'],
          ['Total % B', ({ candidate }) => 100 * candidate.totalShare, 'percent', 'wide'],
          ['Total: points', ({ totalPoints }) => totalPoints, 'number']
        ]),
        note: `A is ${base.id}, B is ${candidate.id}. Shares of the busy CPU time of each run: where one category shrinks, the others grow. Differences of single runs: chance is not known.`
      }
    ],
    plots: [],
    warnings: []
  }
}

/** PROFILE_DIFFERENCES compares the profiles of two runs. @type {import('../scenarios/index.js').Differences} */
export const PROFILE_DIFFERENCES = {
  ofPlan: (/** @type {any} */ { profiled }) => profiled !== undefined,
  missing: (/** @type {AnyResult} */ result) =>
    readCpuCategories(result).length === 0
      ? 'contains no CPU profile: the run ended before anything was sampled, or --profile had only heap'
      : null,
  list: listDifferences,
  describe: describeDifferences
}

const category = z.enum(CATEGORIES)

const shares = {
  // these add up to 1
  selfShare: number.describe('of the time that was not idle: it was on top of the stack'),
  totalShare: number.describe('of the time that was not idle: it was anywhere in the stack')
}

/** The most self time first. */
const allShares = {
  // without `idle`
  categories: z.array(z.looseObject({ category, ...shares })),
  packages: z.array(z.looseObject({ package: text, ...shares })),
  // those with the most self time; one that serves others (see classifyFunction) stands once for each category it serves
  functions: z.array(
    z.looseObject({
      function: text,
      package: text,
      category,
      url: text.nullable(),
      line: z.int().nullable(),
      ...shares
    })
  )
}

const hotSpots = z.looseObject({
  samples: count,
  durationMs: number.describe('sampled, the processes added up'),
  // of durationMs
  busyShare: number,
  // of durationMs: the rest
  idleShare: number,
  ...allShares
})

/** @type {z.ZodType<import('./profiles.js').FoldedCall, import('./profiles.js').FoldedCall>} */
const folded = z.looseObject({
  ...{ name: text, package: text, category, selfMs: number, totalMs: number },
  get children() {
    return z.array(folded)
  }
})

/** @type {z.ZodType<import('./profiles.js').FoldedAllocation, import('./profiles.js').FoldedAllocation>} */
const foldedAllocation = z.looseObject({
  ...{ name: text, package: text, category, selfBytes: number, totalBytes: number },
  get children() {
    return z.array(foldedAllocation)
  }
})

/** sampledShape describes the CPU time and allocations of processes, of plans with --profile. */
export const sampledShape = {
  profile: z
    .looseObject({
      hotSpots,
      folded: folded.describe('for the flame graph'),
      files: z.array(text).describe('.cpuprofile files in the folder of the run'),
      workers: z.array(count).describe('numbers of the processes that were sampled'),
      intervalMicros: number
    })
    .nullable()
    .optional()
    .describe('while the run was measured; absent, null: no CPU time was sampled'),
  allocations: z
    .looseObject({
      samples: count,
      bytes: number.describe('allocated on the heaps of all sampled processes, garbage included'),
      ...allShares,
      folded: foldedAllocation.describe('for the flame graph'),
      files: z.array(text).describe('.heapprofile files in the folder of the run'),
      workers: z.array(count),
      intervalBytes: number
    })
    .optional()
    .describe('while the run was measured, where --profile has heap; shares are of the bytes')
}

/** profilesSchema describes them for a run whose processes are of several kinds. */
export const profilesSchema = z
  .array(z.looseObject({ of: z.enum(['server', 'workers']), ...sampledShape }))
  .optional()
  .describe('with --profile: what was sampled of our server and of the worker processes')
