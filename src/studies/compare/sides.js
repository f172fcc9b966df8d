// Reads the runs that `compare` compares from result folders: single runs, repeated runs, quality reports or folders of
// runs.
import { basename, join, normalize } from 'node:path'
import { ResultFileError, readComparedResult } from '../../report/read-result.js'
import { QA_DOCUMENT } from '../qa/qa-document.js'
import { listRunFolders, readFolderKind } from '../study-folders.js'
import { COMPARISON_DOCUMENT, findCompletePairs, sideLetter } from './comparison-document.js'

/**
 * @typedef {import('./comparison.js').Side} Side
 * @typedef {import('./comparison-document.js').ComparisonDocument} ComparisonDocument
 * @typedef {import('../../scenarios/index.js').LoadScenario} LoadScenario
 *
 * @typedef {Side & { leftOut: string[] }} LoadedSide - `leftOut`: ids of runs that are not complete
 */

/** @param {string} path as it was given, without a slash at its end */
const labelOf = path => normalize(path).replace(/\/$/, '')

/** The runs of the examined cell of a quality report. @param {string} path */
async function examinedRuns(path) {
  const document = await QA_DOCUMENT.read(path)
  const runs = (document?.examined.trials ?? []).flatMap(({ run }) => (run === null ? [] : [join(path, run)]))
  if (runs.length === 0)
    throw new ResultFileError(path, 'is a quality report without a run of the examined cell')
  return runs
}

/**
 * readSides reads the complete runs of the sides of a comparison.
 *
 * @param {ComparisonDocument} document
 * @param {string} folder
 * @param {LoadScenario} find
 * @returns {Promise<Side[]>}
 * @throws {ResultFileError}
 */
export async function readSides(document, folder, find) {
  const { sides } = document
  const whole = findCompletePairs(document)
  if (whole.length === 0)
    throw new ResultFileError(
      folder,
      `contains no ${sides.length === 1 ? 'complete run' : 'pair of complete runs'}: there is nothing to compare`
    )
  return Promise.all(
    sides.map(async ({ label, runs }) => {
      const read = await Promise.all(
        whole.map(place => readComparedResult(join(folder, String(runs[place])), find))
      )
      return {
        ...{ label, study: labelOf(folder) },
        results: read.map(({ result }) => result),
        scenario: read[0].scenario
      }
    })
  )
}

/** Reads one side of a comparison from the folder of its runs. That folder may also hold runs that do not count, interrupted before --resume. @param {string} path @param {LoadScenario} find @returns {Promise<Side | null>} null: it is no side */
async function sideIn(path, find) {
  const folder = join(path, '..')
  const document = await COMPARISON_DOCUMENT.read(folder)
  const inside = `${basename(labelOf(path))}/`
  const place = document?.sides.findIndex(({ runs }) => runs.some(run => run?.startsWith(inside))) ?? -1
  if (document === null || place < 0 || findCompletePairs(document).length === 0) return null
  return (await readSides(document, folder, find))[place]
}

/** @param {string} path @returns {Promise<ComparisonDocument>} of the runs of a single plan */
async function repeatedIn(path) {
  const document = await COMPARISON_DOCUMENT.read(path)
  if (document === null)
    throw new ResultFileError(path, `contains no ${COMPARISON_DOCUMENT.file} that can be read`)
  const { length } = document.sides
  if (length === 1) return document
  const arms = document.sides.map((_, place) => join(path, sideLetter(place).toLowerCase()))
  throw new ResultFileError(
    path,
    `contains the runs of ${length === 2 ? 'two' : length} plans: name ${arms.join(' or ')}`
  )
}

/**
 * readSide reads the runs of a side: one run, the runs of the examined cell of a quality report, the repeated runs of a plan, or all runs of a folder.
 *
 * @param {string} path
 * @param {LoadScenario} find
 * @returns {Promise<LoadedSide>}
 * @throws {ResultFileError} that says what to name instead
 */
export async function readSide(path, find) {
  const kind = await readFolderKind(path)
  if (kind === 'matrix')
    throw new ResultFileError(path, 'is the folder of a matrix: name the folders of two of its rows')
  if (kind === 'saturate')
    throw new ResultFileError(
      path,
      `contains runs of several loads: name one of those in ${join(path, 'runs')}, or compare it with another such folder`
    )
  const label = labelOf(path)
  const stored =
    kind === 'comparison'
      ? (await readSides(await repeatedIn(path), path, find))[0]
      : kind === 'runs'
        ? await sideIn(path, find)
        : null
  if (stored !== null) return { ...stored, label, leftOut: [] }
  const folders =
    kind === 'qa' ? await examinedRuns(path) : kind === 'runs' ? await listRunFolders(path) : [path]
  const read = await Promise.all(folders.map(folder => readComparedResult(folder, find)))
  const results = read.map(({ result }) => result)
  const complete = results.filter(({ status }) => status === 'complete')
  if (complete.length === 0)
    throw new ResultFileError(path, 'contains no complete run: a partial result cannot be compared')
  return {
    label,
    results: complete,
    scenario: read[0].scenario,
    leftOut: results.filter(result => !complete.includes(result)).map(({ id }) => id)
  }
}
