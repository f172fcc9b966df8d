import { basename, join, normalize } from 'node:path'
import { ResultFileError, readComparedResult } from '../../result/read-result.js'
import { folderKind, runFolders } from '../folder-kind.js'
import { QA_DOCUMENT } from '../qa/result/qa-document.js'
import { RUNS_FOLDER } from '../repetition/repetition-document.js'
import { AB_DOCUMENT } from './ab-folder.js'

/**
 * @typedef {import('../../result/read-result.js').ComparedResult} ComparedResult
 * @typedef {import('./comparison.js').Side} Side
 * @typedef {import('../../scenarios/index.js').FindScenario} FindScenario
 *
 * @typedef {Side & { leftOut: string[] }} SideRead - `leftOut`: ids of runs that are not complete
 */

/** @param {string} label @param {ComparedResult[]} read @param {string} path @returns {SideRead} */
function sideOf(label, read, path) {
  const results = read.map(({ result }) => result)
  const complete = results.filter(({ status }) => status === 'complete')
  if (complete.length === 0)
    throw new ResultFileError(path, 'holds no complete run: a partial result cannot be compared')
  return {
    label,
    results: complete,
    scenario: read[0].scenario,
    leftOut: results.filter(result => !complete.includes(result)).map(({ id }) => id)
  }
}

/** @param {string} path as it was given, without a slash at its end */
const labelOf = path => normalize(path).replace(/\/$/, '')

/** A quality report stands for the runs of the cell that it examined. @param {string} path */
async function examinedRuns(path) {
  const document = await QA_DOCUMENT.read(path)
  const runs = (document?.examined.trials ?? []).flatMap(({ run }) => (run === null ? [] : [join(path, run)]))
  if (runs.length === 0)
    throw new ResultFileError(path, 'is a quality report without a run of the examined cell')
  return runs
}

/** Of an arm of ab those of complete pairs: what was broken off before --resume lies beside them. @param {string} path */
async function runsIn(path) {
  const arm = basename(labelOf(path))
  const document = arm === 'a' || arm === 'b' ? await AB_DOCUMENT.read(join(path, '..')) : null
  const pairs = (document?.pairs ?? []).filter(({ a, b }) => a !== null && b !== null)
  if (document === null || pairs.length === 0) return runFolders(path)
  return pairs.map(pair => join(path, '..', String(pair[/** @type {'a' | 'b'} */ (arm)])))
}

/**
 * readSide reads one run, the runs of the cell that a quality report examined, or all runs of a folder of repeated runs.
 *
 * @param {string} path
 * @param {FindScenario} find
 * @returns {Promise<SideRead>}
 * @throws {ResultFileError} with what to name instead
 */
export async function readSide(path, find) {
  const kind = await folderKind(path)
  if (kind === 'matrix')
    throw new ResultFileError(path, 'is the folder of a matrix: name the folders of two of its rows')
  if (kind === 'ab')
    throw new ResultFileError(
      path,
      `holds the runs of two plans: name ${join(path, 'a')} or ${join(path, 'b')}`
    )
  if (kind === 'saturate')
    throw new ResultFileError(
      path,
      `holds runs of several loads: name one of those in ${join(path, 'runs')}, or hold it against another such folder`
    )
  const several = { runs: path, repetition: join(path, RUNS_FOLDER) }[String(kind)]
  const folders =
    kind === 'qa' ? await examinedRuns(path) : several === undefined ? [path] : await runsIn(several)
  return sideOf(
    labelOf(path),
    await Promise.all(folders.map(folder => readComparedResult(folder, find))),
    path
  )
}

/**
 * readAbSides reads both sides of an ab folder, as far as pairs are complete.
 *
 * @param {string} folder
 * @param {FindScenario} find
 * @returns {Promise<{ a: Side, b: Side, document: import('./ab-folder.js').AbDocument }>}
 * @throws {ResultFileError}
 */
export async function readAbSides(folder, find) {
  const document = await AB_DOCUMENT.read(folder)
  if (document === null) throw new ResultFileError(folder, 'holds no ab.json that can be read')
  const pairs = document.pairs.filter(({ a, b }) => a !== null && b !== null)
  if (pairs.length === 0)
    throw new ResultFileError(folder, 'holds no pair of complete runs: there is nothing to compare')
  /** @param {'a' | 'b'} arm @returns {Promise<Side>} */
  const side = async arm => {
    const read = await Promise.all(
      pairs.map(pair => readComparedResult(join(folder, String(pair[arm])), find))
    )
    return {
      label: `${arm.toUpperCase()} ${document.arms[arm].label}`,
      results: read.map(({ result }) => result),
      scenario: read[0].scenario
    }
  }
  return { a: await side('a'), b: await side('b'), document }
}

/**
 * armsOf says whether two folders are the arms of one ab folder, whose runs took turns.
 *
 * @param {string} base
 * @param {string} candidate
 * @returns {Promise<boolean>}
 */
export async function armsOf(base, candidate) {
  const [one, other] = [base, candidate].map(labelOf)
  const names = [basename(one), basename(other)].sort().join()
  const same = join(one, '..') === join(other, '..')
  return names === 'a,b' && same && (await AB_DOCUMENT.read(join(one, '..'))) !== null
}
