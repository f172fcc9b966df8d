import { join } from 'node:path'
import { resultToKeep } from '../result/compact.js'
import { RESULT_FILE, writeWhole } from '../result/folder.js'
import { faultsCsv, operationsCsv, perSecondCsv, serverCsv } from './csv.js'
import { deliveriesCsv, missingCsv, nodesCsv, timelineCsv, topicsCsv } from './gossip/csv.js'
import { hotSpotsCsv } from './profile/csv.js'
import { reportCommandLine } from './repeat.js'
import { livesCsv, peersCsv, rotationCsv } from './rotation/csv.js'
import { peerLivesCsv, peerRotationCsv, registrationsCsv } from './rotation-rendezvous/csv.js'
import { runReport } from './run-report.js'

/**
 * @typedef {import('../result/gossip-types.js').AnyResult} AnyResult
 * @typedef {import('../result/types.js').Record_} Record_
 *
 * @typedef {object} View - a file in the folder of a run that its result determines
 * @property {string} file
 * @property {(result: any, where: { folder: string }) => string | Promise<string>} render
 * @property {(result: any) => boolean} [when] - it is only there then
 */

/**
 * The page draws its plots with a large library: it is loaded when the first page is made.
 *
 * @type {View['render']}
 */
const page = async (result, where) => (await import('./page/index.js')).reportPage(result, where)

/** The one to look at. */
const PAGE = 'report.html'

/** The views that every run has. @type {readonly View[]} */
const VIEWS = Object.freeze([
  { file: 'report.md', render: runReport },
  { file: PAGE, render: page }
])

/** @type {readonly View[]} */
const OF_DELIVERIES = Object.freeze([
  { file: 'deliveries.csv', render: deliveriesCsv },
  { file: 'nodes.csv', render: nodesCsv },
  { file: 'timeline.csv', render: timelineCsv },
  { file: 'topics.csv', render: topicsCsv },
  { file: 'missing.csv', render: missingCsv }
])

/** @type {readonly View[]} */
const OF_OPERATIONS = Object.freeze([
  { file: 'operations.csv', render: operationsCsv },
  { file: 'per-second.csv', render: perSecondCsv },
  { file: 'server.csv', render: serverCsv }
])

/** The figures of each scenario. @type {Readonly<Record<AnyResult['scenario'], readonly View[]>>} */
const CSV = Object.freeze({
  rendezvous: [
    ...OF_OPERATIONS,
    { file: 'faults.csv', render: faultsCsv, when: ({ outcome }) => outcome.faults.length > 0 }
  ],
  gossip: OF_DELIVERIES,
  profile: [{ file: 'hot-spots.csv', render: hotSpotsCsv }, ...OF_DELIVERIES],
  rotation: [
    { file: 'rotation.csv', render: rotationCsv },
    { file: 'lives.csv', render: livesCsv },
    { file: 'peers.csv', render: peersCsv },
    ...OF_DELIVERIES
  ],
  'rotation-rendezvous': [
    { file: 'rotation.csv', render: peerRotationCsv },
    { file: 'lives.csv', render: peerLivesCsv },
    { file: 'registrations.csv', render: registrationsCsv },
    ...OF_OPERATIONS
  ]
})

/** RUN_FILES are what a user is told to look at in the folder of a run. */
export const RUN_FILES = Object.freeze([PAGE, RESULT_FILE])

/**
 * writeViews writes the views of a result into the folder of its run, in place of earlier ones.
 *
 * @param {AnyResult} result
 * @param {string} folder
 * @param {{ csv: boolean }} which
 * @returns {Promise<string[]>} paths of the files
 */
export async function writeViews(result, folder, { csv }) {
  const views = [...VIEWS, ...(csv ? CSV[result.scenario] : [])].filter(({ when }) => when?.(result) ?? true)
  for (const { file, render } of views) await writeWhole(join(folder, file), await render(result, { folder }))
  return views.map(({ file }) => join(folder, file))
}

/**
 * notWritten says that a view could not be written, and how it is made later.
 *
 * @param {unknown} error
 * @param {string} folder - whose views they are
 * @returns {string} a line
 */
export const notWritten = (error, folder) =>
  `⚠ Not every report was written: ${error instanceof Error ? error.message : String(error)}. Once more: ${reportCommandLine(folder)}\n`

/**
 * viewsOfRun writes the views once a run has ended, whatever it came to. The result is kept already: a view that cannot be made
 * takes nothing from it, and can be made later.
 *
 * @param {string} folder
 * @param {{ csv: boolean }} which
 * @param {(text: string) => void} warn - takes a line
 * @returns {{ add(record: Record_): void, close(): Promise<void> }}
 */
export function viewsOfRun(folder, which, warn) {
  /** @type {AnyResult | null} */
  let latest = null
  return {
    add(record) {
      if (record.type === 'partial' || record.type === 'result') latest = resultToKeep(record)
    },
    async close() {
      if (latest === null) return
      try {
        await writeViews(latest, folder, which)
      } catch (error) {
        warn(notWritten(error, folder))
      }
    }
  }
}
