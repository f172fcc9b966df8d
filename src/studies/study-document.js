import { join, posix } from 'node:path'
import { readText } from '../kit/text-file.js'
import { makeRunFolder, minute, writeWhole } from '../result/folder.js'

/**
 * @typedef {import('../result/folder.js').RunFolder} RunFolder
 *
 * @typedef {object} Head - what the document of every study begins with
 * @property {number} schemaVersion
 * @property {string} id - also the name of its folder; empty as long as it has none
 * @property {'running' | 'complete' | 'partial'} status - `running` is left behind only by a process that was killed
 * @property {import('../result/types.js').Reason | null} reason - why it is partial
 * @property {string} startedAt - ISO 8601
 * @property {string | null} finishedAt
 * @property {'process' | 'docker'} [server] - where --server auto has put the server of its first run; the others have it there, too
 *
 * @typedef {RunFolder & { inside: string }} PartFolder - `inside`: its path in the folder of the study
 */

/** REPORT_PAGE is the page of a study, and of a run. */
export const REPORT_PAGE = 'report.html'

/**
 * newHead begins the document of a study.
 *
 * @param {string} id
 * @param {Date} now
 * @returns {Head}
 */
export const newHead = (id, now) => ({
  schemaVersion: 1,
  id,
  status: 'running',
  reason: null,
  startedAt: now.toISOString(),
  finishedAt: null
})

/** documentText is a document as it is written. @param {object} document */
export const documentText = document => `${JSON.stringify(document, null, 2)}\n`

/**
 * @template {Head} D
 * @typedef {object} StudyFile - the document of a kind of study, in its folder
 * @property {string} file
 * @property {readonly string[]} former - files that it had in earlier versions
 * @property {import('../scenarios/scenario.js').Handed<[folder: string, document: D], Promise<void>>} write - in place of what is there
 * @property {(folder: string) => Promise<D | null>} read - null: the folder holds none that can be read
 */

/**
 * studyFile is where the document of a kind of study stands.
 *
 * @template {Head} D
 * @param {object} kind
 * @param {string} kind.file
 * @param {number} [kind.version] - of its schema
 * @param {(document: any) => boolean} [kind.holds] - whether a document with the head of a study is one of this kind
 * @param {(document: any) => D} [kind.current] - fills what documents of this version did not have at first
 * @param {Readonly<Record<string, (document: any) => object>>} [kind.former] - files of earlier versions: what each is now
 * @returns {StudyFile<D>}
 */
export const studyFile = ({
  file,
  version = 1,
  holds = () => true,
  current = document => document,
  former = {}
}) =>
  Object.freeze({
    file,
    former: Object.keys(former),
    write: (/** @type {string} */ folder, /** @type {D} */ document) =>
      writeWhole(join(folder, file), documentText(document)),
    async read(/** @type {string} */ folder) {
      for (const [name, upgraded] of Object.entries({ [file]: asItIs, ...former })) {
        const document = await readText(join(folder, name)).then(upgradedBy(upgraded)).catch(none)
        if (document?.schemaVersion === version && holds(document)) return current(document)
      }
      return null
    }
  })

/** @param {object} document */
const asItIs = document => document

/** @param {(document: any) => object} upgraded */
const upgradedBy = upgraded => (/** @type {string} */ text) => /** @type {any} */ (upgraded(JSON.parse(text)))

const none = () => null

/**
 * makeStudyFolder makes a folder of its own for a study, and never takes one that exists.
 *
 * @param {string} outputDir
 * @param {Date} time
 * @param {string} name - `saturate-rendezvous-7`
 * @returns {Promise<RunFolder>}
 */
export const makeStudyFolder = (outputDir, time, name) => makeRunFolder(outputDir, `${minute(time)}-${name}`)

/**
 * makePartFolder makes a folder of its own for a run of a study.
 *
 * @param {string} folder - of the study
 * @param {string} part - folder in it
 * @param {string} name
 * @returns {Promise<PartFolder>}
 */
export async function makePartFolder(folder, part, name) {
  const made = await makeRunFolder(join(folder, part), name)
  return { ...made, inside: posix.join(part, made.id) }
}
