// Reads result files and checks them. Results of earlier releases are converted to the current format.
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readText, TextFileError } from '../kit/files.js'
import { RESULT_FILE } from './result-folder.js'
import { resultSchema, SCHEMA_VERSION } from './schema.js'

/**
 * @typedef {import('../scenarios/index.js').AnyResult} AnyResult
 * @typedef {import('../scenarios/index.js').LoadScenario} LoadScenario
 * @typedef {import('../scenarios/index.js').ComparableScenario} ComparableScenario
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
 * parseResult reads a result document, of this version or an older one.
 *
 * @param {string} text
 * @param {string} file - as it is called in errors
 * @param {LoadScenario} find
 * @returns {Promise<AnyResult>}
 * @throws {ResultFileError}
 */
export async function parseResult(text, file, find) {
  const written = parsed(text, file)
  const why = foreign(written)
  if (why !== null) throw new ResultFileError(file, why)
  if (Object.hasOwn(REMOVED_SCENARIOS, written.scenario))
    throw new ResultFileError(
      file,
      `is a result of ${written.scenario}, ${REMOVED_SCENARIOS[written.scenario]}`
    )
  const document = convertFormerScenario(written)
  const scenario = await find(document.scenario)
  if (scenario === undefined)
    throw new ResultFileError(file, `is of the ${document.scenario} scenario, which is not known here`)
  const schema = await resultSchema(scenario)
  const current = migrateResult(document, { version: SCHEMA_VERSION, filled: scenario.filled })
  const { success, data, error } = schema.safeParse(current)
  if (!success) throw new ResultFileError(file, `is damaged or was changed by hand: ${named(error)}`)
  return /** @type {any} */ (data)
}

/** @param {string} path - of a run's folder or of a result document */
async function fileAt(path) {
  const stats = await stat(path).catch(() => null)
  return stats?.isDirectory() ? join(path, RESULT_FILE) : path
}

/**
 * readResultFile reads the result of a run.
 *
 * @param {string} path - of its folder, or of the document itself
 * @param {LoadScenario} find
 * @returns {Promise<AnyResult>}
 * @throws {ResultFileError}
 */
export async function readResultFile(path, find) {
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
  return parseResult(text, file, find)
}

/**
 * readComparedResult reads the result of a run of a scenario whose results can be compared.
 *
 * @param {string} path - of its folder, or of the document itself
 * @param {LoadScenario} find
 * @returns {Promise<ComparedResult>} with its scenario
 * @throws {ResultFileError} also for a result of another scenario
 */
export async function readComparedResult(path, find) {
  const result = await readResultFile(path, find)
  const scenario = await find(result.scenario)
  if (scenario?.compared) return { result, scenario: /** @type {ComparableScenario} */ (scenario) }
  throw new ResultFileError(
    path,
    `is a result of the ${result.scenario} scenario, which cannot be compared yet`
  )
}

/**
 * @typedef {Record<string, any>} Document_ - a result as it was read
 */

/** What results of version 1 marked times with, by how much of them was the load generator's. */
const MARKS = new Set(['doubtful', 'lowMs', 'cause', 'throughputIsLowerBound'])

/** @param {any} part - of a document @returns {any} */
function withoutMarks(part) {
  if (Array.isArray(part)) return typeof part[0] === 'object' ? part.map(withoutMarks) : part
  if (part === null || typeof part !== 'object') return part
  const entries = Object.entries(part).filter(([key]) => !MARKS.has(key))
  return Object.fromEntries(entries.map(([key, value]) => [key, withoutMarks(value)]))
}

/** Codes of a process of ours that was busy, of several of which the busiest counts. */
const BUSY = new Set(['GENERATOR_BUSY', 'NODES_BUSY'])
/** Codes that went with the marks. */
const REMOVED_WARNINGS = new Set(['PERCENTILES_DOUBTFUL', 'NODES_WAITED'])

/** @param {readonly { code: string, values: Record<string, any> }[]} warnings */
function warningsOf2(warnings) {
  const [busiest] = warnings
    .filter(({ code }) => BUSY.has(code))
    .sort((a, b) => b.values.utilization - a.values.utilization)
  const others = warnings.filter(({ code }) => !BUSY.has(code) && !REMOVED_WARNINGS.has(code))
  return busiest === undefined
    ? others
    : [{ code: 'GENERATOR_LIMITED', values: { busy: busiest.values, overheads: [] } }, ...others]
}

/**
 * Version 2 has the client overhead at a percentile instead of marks. What version 1 had is another figure (a difference of two percentiles),
 * and is left out.
 *
 * @param {Document_} document
 * @returns {Document_}
 */
function toVersion2({ outcome, run, ...document }) {
  const { health, agents, warnings, ...others } = withoutMarks(run ?? {})
  return {
    ...document,
    outcome: withoutMarks(outcome),
    run: run && {
      ...others,
      ...(health && {
        health: health.map((/** @type {any} */ { added, ...worker }) => ({ ...worker, overhead: added }))
      }),
      ...(agents && {
        agents: agents.map((/** @type {any} */ { addedMs, ...agent }) => ({
          ...agent,
          ...(addedMs !== undefined && { overheadMs: addedMs })
        }))
      }),
      ...(warnings && { warnings: warningsOf2(run.warnings) })
    }
  }
}

/**
 * By version, how a document of it becomes one of the next.
 *
 * @type {Readonly<Record<number, (document: Document_) => Document_>>}
 */
const TO_NEXT = { 1: toVersion2 }

/** What gossip nodes that were replaced had received, as it is written now. @param {Document_} rotation */
function gossipChurn({ lives, apart: { gone, ...apart }, duplicates, ...measured }) {
  const { observations, ...counts } = duplicates
  return {
    ...{ departures: lives.killed, returns: lives.started, apart: { ...apart, away: gone } },
    ...{ receipts: observations, ...counts, lives, ...measured }
  }
}

/**
 * Peers that came and went had a scenario of their own.
 *
 * @param {Document_} document
 * @param {string} scenario - that they are of now
 * @param {(rotation: Document_) => Document_} [measured] - as it is written now; default: as it was
 * @returns {Document_}
 */
function withChurn({ plan, outcome, ...document }, scenario, measured = rotation => rotation) {
  const { stable, ephemeral, rotateEveryMs, downForMs, dials, settleMs, ...rest } = plan
  const { rotation, ...others } = outcome ?? {}
  const churn = {
    ...{ peers: ephemeral, everyMs: rotateEveryMs, atRandom: false, awayMs: downForMs, asNew: true },
    ...(dials !== undefined && { dials, settleMs })
  }
  return {
    ...document,
    scenario,
    plan: { ...rest, scenario, churn },
    outcome: outcome && { ...others, ...(rotation && { churn: measured(rotation) }) }
  }
}

/**
 * Bytes that nobody kept had a scenario of their own, on one network.
 *
 * @param {Document_} document
 */
function ofZeros({ plan, outcome, ...document }) {
  const {
    latencyMs = 0,
    bandwidthBytesPerSecond: bytesPerSecond = null,
    baselines = [],
    ...rest
  } = plan ?? {}
  const round = { latencyMs, bytesPerSecond }
  /** @param {Document_[]} rows */
  const inRound = (rows = []) => rows.map(row => ({ round, ...row }))
  const { transfers, rows, latency, handshakes, namespaces, ...others } = outcome ?? {}
  return {
    ...document,
    scenario: 'transfer',
    plan: plan && {
      ...rest,
      ...{ scenario: 'transfer', ways: ['perf', ...baselines], leftOut: [] },
      ...{ latenciesMs: latencyMs > 0 ? [latencyMs] : [], noLatencyCase: latencyMs === 0 },
      bandwidths: bytesPerSecond === null ? [] : [bytesPerSecond],
      unlimitedBandwidthCase: bytesPerSecond === null
    },
    outcome: outcome && {
      ...others,
      ...{ transfers: inRound(transfers), rows: inRound(rows) },
      ...{ latency: inRound(latency), handshakes: inRound(handshakes) },
      ...(namespaces && { namespaces: [{ ...round, ...namespaces }] })
    }
  }
}

/** Scenarios of earlier releases that are a property of another one now, or have other plans. @type {Readonly<Record<string, (document: Document_) => Document_>>} */
const FORMER_SCENARIOS = {
  perf: ofZeros,
  profile: ({ plan, ...document }) => ({
    ...document,
    scenario: 'gossip',
    plan: plan && { profiled: ['cpu'], ...plan, scenario: 'gossip' }
  }),
  // how its nodes are secured was one word
  transfer: ({ plan, ...document }) => ({
    ...document,
    plan: plan && { ...plan, ...(plan.security !== undefined && { security: [plan.security].flat() }) }
  }),
  rotation: document => withChurn(document, 'gossip', gossipChurn),
  'rotation-rendezvous': document => withChurn(document, 'rendezvous')
}

/** REMOVED_SCENARIOS are those of earlier releases whose results are not read any more, and what to do. @type {Readonly<Record<string, string>>} */
const REMOVED_SCENARIOS = Object.freeze({
  abuse:
    'a command of an earlier release: its report.html and report.md say what was measured; rendezvous --hostile measures it now'
})

/**
 * convertFormerScenario is a document of a scenario that earlier releases had as one of the scenario that has it now.
 *
 * @param {Document_} document
 * @returns {Document_}
 */
export const convertFormerScenario = document => FORMER_SCENARIOS[document.scenario]?.(document) ?? document

/**
 * migrateResult brings a result of an older version up to date.
 *
 * @param {Document_} document
 * @param {object} to
 * @param {number} to.version - it is to become
 * @param {import('../scenarios/index.js').Documents['filled']} to.filled - what was added to that version since it was first written
 * @param {typeof TO_NEXT} [to.toNext]
 * @returns {Document_}
 */
export function migrateResult(document, { version, filled, toNext = TO_NEXT }) {
  let current = document
  while (current.schemaVersion < version)
    current = { ...toNext[current.schemaVersion](current), schemaVersion: current.schemaVersion + 1 }
  return filled(current)
}
