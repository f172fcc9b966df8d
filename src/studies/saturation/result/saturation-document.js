import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeRunFolder, minute, writeWhole } from '../../../result/folder.js'

/**
 * @typedef {import('../../../result/types.js').Reason} Reason
 * @typedef {import('./trial.js').Trial} Trial
 * @typedef {import('./trial.js').AnyTrial} AnyTrial
 * @typedef {import('./trial.js').SearchState} SearchState
 *
 * @typedef {object} Head - what the documents of all commands that try loads have
 * @property {1} schemaVersion
 * @property {string} id - also the name of its folder
 * @property {'running' | 'complete' | 'partial'} status - `running` is left behind only by a process that was killed
 * @property {Reason | null} reason - why it is partial
 * @property {string} startedAt - ISO 8601
 * @property {string | null} finishedAt
 * @property {Record<string, unknown>} options - of the plans, as they were given
 *
 * @typedef {object} GridState
 * @property {number[]} rates - per second: of each connection, or of the whole network
 * @property {number[]} [connections]
 * @property {number[]} [nodes] - of a gossip network
 * @property {AnyTrial[]} cells - in the order of `gridCells`
 * @property {{ ratePerSecond: number, connections?: number, nodes?: number } | null} chosen - null: none lies below the diagonal
 *
 * @typedef {object} SaturationParts
 * @property {import('../plan/load-plan.js').Loaded} scenario
 * @property {number} seconds - of each trial
 * @property {number | null} [connections] - of a search; null: it is a grid
 * @property {number | null} [nodes] - of a search in a gossip network; null: it is a grid
 * @property {number} [inTimeMs] - within which a message of a gossip network is to reach everyone
 * @property {GridState | null} grid - it, or `search`, is there
 * @property {SearchState | null} search
 *
 * @typedef {Head & SaturationParts} SaturationDocument - `saturate.json`
 *
 * @typedef {import('../plan/network-load.js').NetworkDescription} NetworkDescription
 * @typedef {import('../plan/network-load.js').NetworkLoad} NetworkLoad
 *
 * @typedef {object} CapacityParts
 * @property {NetworkDescription} network
 * @property {Record<string, number>} mix - shares of register, refresh and discover
 * @property {NetworkLoad} load
 * @property {number} scale - share of the held registrations that the server was given
 * @property {number} seconds - of each of the loads
 * @property {number} searchSeconds - of each trial of the search
 * @property {Trial[]} loads - mean, peak hour, three times that
 * @property {SearchState} search
 * @property {number | null} servers - the answer; null: there is none
 *
 * @typedef {Head & CapacityParts} CapacityDocument - `capacity.json`
 */

/** SATURATION_FILE is the document of a folder of `saturate`. */
export const SATURATION_FILE = 'saturate.json'
/** CAPACITY_FILE is the document of a folder of `capacity`. */
export const CAPACITY_FILE = 'capacity.json'

/**
 * makeTrialsFolder makes a folder of its own for trials, and never takes one that exists.
 *
 * @param {string} outputDir
 * @param {Date} time
 * @param {string} name - `saturate-rendezvous-7`
 */
export const makeTrialsFolder = (outputDir, time, name) => makeRunFolder(outputDir, `${minute(time)}-${name}`)

/**
 * latestTrialsFolder finds the folder of a command that was made last.
 *
 * @param {string} outputDir
 * @param {string} name - that its own begins with, after the time
 * @returns {Promise<string | null>} its path; null: there is none
 */
export async function latestTrialsFolder(outputDir, name) {
  const names = await readdir(outputDir).catch(() => /** @type {string[]} */ ([]))
  const latest = names
    .filter(folder => /^\d{8}-\d{4}-/.test(folder) && folder.slice(14).startsWith(name))
    .sort()
    .at(-1)
  return latest === undefined ? null : join(outputDir, latest)
}

/**
 * @template {Head} D
 * @param {string} file
 * @returns {(folder: string, document: D) => Promise<void>}
 */
const writer = file => (folder, document) =>
  writeWhole(join(folder, file), `${JSON.stringify(document, null, 2)}\n`)

/**
 * @template {Head} D
 * @param {string} file
 * @param {(document: any) => boolean} isOurs
 * @returns {(folder: string) => Promise<D | null>}
 */
const reader = (file, isOurs) => async folder => {
  try {
    const document = JSON.parse(await readFile(join(folder, file), 'utf8'))
    return document.schemaVersion === 1 && isOurs(document) ? document : null
  } catch {
    return null
  }
}

/** writeSaturation replaces the document of a folder. @type {(folder: string, document: SaturationDocument) => Promise<void>} */
export const writeSaturation = writer(SATURATION_FILE)

/** readSaturation reads it; null: there is none that can be read. @type {(folder: string) => Promise<SaturationDocument | null>} */
export const readSaturation = reader(
  SATURATION_FILE,
  ({ grid, search }) => Array.isArray(grid?.cells ?? search?.trials) === true
)

/** writeCapacity replaces the document of a folder. @type {(folder: string, document: CapacityDocument) => Promise<void>} */
export const writeCapacity = writer(CAPACITY_FILE)

/** readCapacity reads it; null: there is none that can be read. @type {(folder: string) => Promise<CapacityDocument | null>} */
export const readCapacity = reader(
  CAPACITY_FILE,
  ({ loads, search }) => Array.isArray(loads) && Array.isArray(search?.trials)
)

/**
 * sizesOf are the connections of a grid, or its nodes.
 *
 * @param {Pick<GridState, 'connections' | 'nodes'>} grid
 */
export const sizesOf = ({ connections, nodes }) => connections ?? nodes ?? []

/**
 * sizeNames are what the size of a trial is called in documents.
 *
 * @type {Readonly<Record<SaturationDocument['scenario'], 'connections' | 'nodes'>>}
 */
export const sizeNames = Object.freeze({ rendezvous: 'connections', gossip: 'nodes' })
