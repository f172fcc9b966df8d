import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readText, TextFileError } from '../kit/text-file.js'
import { RESULT_FILE } from './folder.js'
import { migrated, ofScenarioNow, REMOVED_SCENARIOS } from './migrations.js'
import { resultSchema, SCHEMA_VERSION } from './schema.js'

/**
 * @typedef {import('./types.js').AnyResult} AnyResult
 * @typedef {import('../scenarios/index.js').FindScenario} FindScenario
 * @typedef {import('../scenarios/scenario.js').ComparableScenario} ComparableScenario
 *
 * @typedef {{ result: AnyResult, scenario: ComparableScenario }} ComparedResult
 */

/** ResultFileError says why a file is no result that can be read. */
export class ResultFileError extends Error {
  name = 'ResultFileError'
  code = 'BAD_RESULT'

  /** @param {string} file @param {string} why @param {ErrorOptions} [options] */
  constructor(file, why, options) {
    super(`${file} ${why}`, options)
    this.file = file
    this.why = why
  }
}

const ISSUES_NAMED = 3

/** @param {string} text @param {string} file @returns {any} */
function parsed(text, file) {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ResultFileError(file, `is damaged: it is no whole JSON document`, { cause })
  }
}

/** @param {any} document @returns {string | null} why it is not for us */
function foreign(document) {
  const version = document?.schemaVersion
  if (!Number.isInteger(version) || version < 1 || document.scenario === undefined)
    return 'is no result of libp2p-loadtest: it has no schemaVersion and scenario'
  if (version > SCHEMA_VERSION)
    return `has version ${version}, and this program reads up to ${SCHEMA_VERSION}: use a later libp2p-loadtest`
  return null
}

/** @param {import('zod').ZodError} error */
function named({ issues }) {
  const some = issues
    .slice(0, ISSUES_NAMED)
    .map(({ path, message }) => `${path.join('.') || 'the document'}: ${message}`)
  const more = issues.length - ISSUES_NAMED
  return [...some, ...(more > 0 ? [`${more} more`] : [])].join('; ')
}

/**
 * resultFromText reads a result document, of this version or an older one.
 *
 * @param {string} text
 * @param {string} file - as it is called in errors
 * @param {FindScenario} find
 * @returns {Promise<AnyResult>}
 * @throws {ResultFileError}
 */
export async function resultFromText(text, file, find) {
  const written = parsed(text, file)
  const why = foreign(written)
  if (why !== null) throw new ResultFileError(file, why)
  if (Object.hasOwn(REMOVED_SCENARIOS, written.scenario))
    throw new ResultFileError(
      file,
      `is a result of ${written.scenario}, ${REMOVED_SCENARIOS[written.scenario]}`
    )
  const document = ofScenarioNow(written)
  const scenario = await find(document.scenario)
  if (scenario === undefined)
    throw new ResultFileError(file, `is of the ${document.scenario} scenario, which is not known here`)
  const schema = await resultSchema(scenario)
  const current = migrated(document, { version: SCHEMA_VERSION, filled: scenario.filled })
  const { success, data, error } = schema.safeParse(current)
  if (!success) throw new ResultFileError(file, `is damaged or was changed by hand: ${named(error)}`)
  return /** @type {any} */ (data)
}

/** @param {string} path - of a run's folder or of a result document */
async function fileAt(path) {
  const found = await stat(path).catch(() => null)
  return found?.isDirectory() ? join(path, RESULT_FILE) : path
}

/**
 * readResult reads the result of a run.
 *
 * @param {string} path - of its folder, or of the document itself
 * @param {FindScenario} find
 * @returns {Promise<AnyResult>}
 * @throws {ResultFileError}
 */
export async function readResult(path, find) {
  const file = await fileAt(path)
  const text = await readText(file).catch(cause => {
    const why =
      cause instanceof TextFileError
        ? cause.message
        : cause.code === 'ENOENT'
          ? 'does not exist'
          : 'cannot be read'
    throw new ResultFileError(file, why, { cause })
  })
  return resultFromText(text, file, find)
}

/**
 * readComparedResult reads the result of a run of a scenario whose results can be compared.
 *
 * @param {string} path - of its folder, or of the document itself
 * @param {FindScenario} find
 * @returns {Promise<ComparedResult>} with its scenario
 * @throws {ResultFileError} also for a result of another scenario
 */
export async function readComparedResult(path, find) {
  const result = await readResult(path, find)
  const scenario = await find(result.scenario)
  if (scenario?.compared) return { result, scenario: /** @type {ComparableScenario} */ (scenario) }
  throw new ResultFileError(
    path,
    `is a result of the ${result.scenario} scenario, which cannot be compared yet`
  )
}
