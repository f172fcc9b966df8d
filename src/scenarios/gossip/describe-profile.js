import { capital, significant } from '../../kit/numbers.js'
import { facts, table } from '../../report/description/tables.js'

/**
 * What the CPU time and the allocations of worker processes went to, where they were sampled.
 *
 * @typedef {import('../../report/description/description.js').DescribedTable} DescribedTable
 * @typedef {import('../../report/description/description.js').Plot} Plot
 * @typedef {import('../../report/description/description.js').Frame} Frame
 * @typedef {import('../profile/profile-types.js').Profiled} Profiled
 * @typedef {import('../profile/profile-types.js').Allocated} Allocated
 * @typedef {import('../profile/measure/hot-spots.js').Shares} Shares
 * @typedef {Pick<import('../profile/measure/hot-spots.js').HotSpots, 'categories' | 'packages' | 'functions'>} HotSpots
 * @typedef {import('./gossip-types.js').GossipOutcome & { profile?: Profiled | null, allocations?: Allocated }} ProfiledOutcome
 */

/** Of a whole: calls with less are not drawn apart. */
const MIN_DRAWN = 0.002

/** Calls that are drawn, of the longest. */
const MAX_FRAMES = 700

/** @param {number} share - 0 to 1 */
const percent = share => Number((100 * share).toPrecision(4))

/** @type {import('../../report/description/tables.js').ColumnOf<Shares>[]} */
const SHARES = [
  ['Self %', ({ selfShare }) => percent(selfShare), 'percent'],
  ['Total %', ({ totalShare }) => percent(totalShare), 'percent']
]

/**
 * @param {string} id - what the ids begin with
 * @param {string} what - has the shares
 * @param {HotSpots} hotSpots
 * @param {{ note: string, terminal: boolean }} more
 * @returns {DescribedTable[]}
 */
const hotSpotTables = (id, what, { categories, packages, functions }, more) => [
  table(
    `${id}-by-category`,
    `${what} by category`,
    categories,
    [['Category', ({ category }) => category, 'text'], ...SHARES],
    more
  ),
  table(`${id}-by-package`, `${what} by package`, packages, [
    ['Package', row => row.package, 'text'],
    ...SHARES
  ]),
  table(`${id}-by-function`, `${what} by function`, functions, [
    ['Function', row => row.function, 'text'],
    ['Category', ({ category }) => category, 'text'],
    ['Package', row => row.package, 'text'],
    ['Where', ({ url, line }) => url && (line === null ? url : `${url}:${line}`), 'text'],
    ...SHARES
  ])
]

/** @param {Profiled} profile */
const cpuTables = ({ hotSpots, files, workers, intervalMicros }) => [
  ...hotSpotTables('hot-spots', 'CPU time', hotSpots, {
    note: 'Shares of busy CPU time. Total: including the functions called.',
    terminal: true
  }),
  {
    ...facts('cpu-sampling', 'CPU sampling', [
      ['Samples', hotSpots.samples, 'count'],
      ['Interval', intervalMicros / 1000, 'ms'],
      ['Processes', workers.length, 'count'],
      ['Time sampled, processes added up', hotSpots.durationMs / 1000, 's'],
      ['Busy', percent(hotSpots.busyShare), 'percent'],
      ['Idle', percent(hotSpots.idleShare), 'percent'],
      ['Files', files.length > 0 ? files.join(', ') : null, 'text']
    ]),
    note: 'Sampled while messages were published. Developer tools of browsers, editors and speedscope open .cpuprofile files.'
  }
]

/** @param {Allocated} allocated @param {boolean} alone - CPU time was not sampled */
const allocationTables = ({ samples, bytes, files, workers, intervalBytes, ...hotSpots }, alone) => [
  ...hotSpotTables('allocations', 'Allocations', hotSpots, {
    note: 'Shares of all bytes allocated, garbage included. Total: including the functions called.',
    terminal: alone
  }),
  {
    ...facts('heap-sampling', 'Heap sampling', [
      ['Allocated', bytes / 1e6, 'MB'],
      ['Samples', samples, 'count'],
      ['Allocated per sample, about, kB', intervalBytes / 1000],
      ['Processes', workers.length, 'count'],
      ['Files', files.length > 0 ? files.join(', ') : null, 'text']
    ]),
    note: 'Sampled while messages were published. Developer tools of browsers and editors open .heapprofile files.'
  }
]

/**
 * profileTables say where CPU time and allocations went.
 *
 * @param {{ outcome: ProfiledOutcome }} result
 * @returns {DescribedTable[]} none: nothing was sampled
 */
export const profileTables = ({ outcome: { profile, allocations } }) => [
  ...(profile ? cpuTables(profile) : []),
  ...(allocations ? allocationTables(allocations, !profile) : [])
]

/**
 * The frames that are large enough to be seen, from the root.
 *
 * @template {{ name: string, category: string, children: any[] }} Call
 * @param {Call} root
 * @param {(call: any) => number} total - of a call with all it called
 * @param {(call: any) => number} self
 * @returns {Frame}
 */
function flames(root, total, self) {
  /** @param {any} call @returns {number[]} */
  const totals = call => [total(call), ...call.children.flatMap(totals)]
  const least = Math.max(MIN_DRAWN * total(root), totals(root).sort((a, b) => b - a)[MAX_FRAMES] ?? 0)
  const three = (/** @type {number} */ value) => Number(value.toPrecision(4))
  /** @param {any} call @returns {Frame} */
  const frame = call => {
    const children = call.children.filter((/** @type {any} */ child) => total(child) >= least)
    return {
      name: call.name,
      value: three(total(call)),
      ...(self(call) > 0 && { self: three(self(call)) }),
      category: call.category,
      ...(children.length > 0 && { children: children.map(frame) })
    }
  }
  return frame(root)
}

const READING = 'Callers above the functions they call, each as wide as its share.'

/**
 * profilePlots are flame graphs.
 *
 * @param {{ outcome: ProfiledOutcome }} result
 * @returns {Plot[]}
 */
export const profilePlots = ({ outcome: { profile, allocations } }) => [
  ...(profile && profile.folded.totalMs > 0
    ? [
        /** @type {Plot} */ ({
          id: 'flame-graph',
          kind: 'flame',
          title: 'Flame graph of CPU time',
          note: `${READING} In ms of busy time, all sampled processes together.`,
          root: flames(
            profile.folded,
            ({ totalMs }) => totalMs,
            ({ selfMs }) => selfMs
          )
        })
      ]
    : []),
  ...(allocations && allocations.folded.totalBytes > 0
    ? [
        /** @type {Plot} */ ({
          id: 'allocation-graph',
          kind: 'flame',
          title: 'Flame graph of allocations',
          note: `${READING} In kB, all sampled processes together.`,
          root: flames(
            allocations.folded,
            ({ totalBytes }) => totalBytes / 1000,
            ({ selfBytes }) => selfBytes / 1000
          )
        })
      ]
    : [])
]

/** Those with the most self time. @param {ProfiledOutcome} outcome */
const topCategories = ({ profile, allocations }) =>
  ((profile?.hotSpots ?? allocations)?.categories ?? []).filter(({ selfShare }) => selfShare > 0).slice(0, 3)

/**
 * profileWords say what most CPU time went to, or who allocated most.
 *
 * @param {ProfiledOutcome} outcome
 * @returns {string} a sentence; empty: nothing was sampled
 */
export function profileWords(outcome) {
  const named = topCategories(outcome).map(
    ({ category, selfShare }) => `${category} ${significant(100 * selfShare)} %`
  )
  if (named.length === 0) return ''
  return outcome.profile
    ? `Most CPU time went to ${named.join(', ')}`
    : `Most allocations were made by ${named.join(', ')}`
}

/**
 * profileTiles are the figures of a profile that a person looks for first.
 *
 * @param {ProfiledOutcome} outcome
 * @returns {import('../../report/description/description.js').Description['tiles']}
 */
export const profileTiles = outcome => [
  ...topCategories(outcome).map(
    ({ category, selfShare }) =>
      /** @type {[string, number, 'percent']} */ ([
        category === 'libp2p' ? category : category === 'gc' ? 'Garbage collection' : capital(category),
        percent(selfShare),
        'percent'
      ])
  ),
  ...(outcome.profile
    ? [
        /** @type {[string, number, 'percent']} */ ([
          'Busy time',
          percent(outcome.profile.hotSpots.busyShare),
          'percent'
        ])
      ]
    : outcome.allocations
      ? [/** @type {[string, number, 'MB']} */ (['Allocated', outcome.allocations.bytes / 1e6, 'MB'])]
      : [])
]
