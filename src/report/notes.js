import { describeWarning } from '../result/warnings.js'
import { changedSettings } from './changed-settings.js'
import { GOSSIP_NOTES } from './gossip/notes.js'
import { PROFILE_NOTES } from './profile/notes.js'
import { OPERATION_SIGNS, RENDEZVOUS_NOTES } from './rendezvous-notes.js'
import { resultTable } from './result-table.js'
import { ROTATION_NOTES } from './rotation/notes.js'
import { ROTATING_PEERS_NOTES } from './rotation-rendezvous/notes.js'
import { thresholdLine } from './threshold-lines.js'

/**
 * @typedef {import('../result/gossip-types.js').AnyResult} AnyResult
 * @typedef {import('../result/types.js').Warning} Warning
 *
 * @typedef {(result: any) => string[]} Lines
 *
 * @typedef {object} ScenarioNotes - lines about a result of one scenario
 * @property {readonly (readonly [sign: RegExp, meaning: string])[]} signs - in its table
 * @property {Lines} reading - how its figures are to be read
 * @property {Lines} failures - what did not come about
 * @property {Lines} references - what others saw of the same
 * @property {Lines} further - figures that have no column in its table
 */

/** @type {Readonly<Record<AnyResult['scenario'], ScenarioNotes>>} */
const NOTES = Object.freeze({
  rendezvous: RENDEZVOUS_NOTES,
  gossip: GOSSIP_NOTES,
  profile: PROFILE_NOTES,
  rotation: ROTATION_NOTES,
  'rotation-rendezvous': ROTATING_PEERS_NOTES
})

/** @param {AnyResult} result */
function incomplete({ status, reason }) {
  return status === 'partial' ? [`Partial result: ${reason?.message ?? 'the run did not end'}`] : []
}

/** @param {AnyResult} result also of a version without them */
const thresholds = ({ outcome }) => (outcome.thresholds ?? []).map(thresholdLine)

/**
 * signs say what the signs in the rows of a table mean, each only where it stands.
 *
 * @param {string} table - markdown
 * @param {ScenarioNotes['signs']} [meanings]
 * @returns {string[]}
 */
export function signs(table, meanings = OPERATION_SIGNS) {
  const cells = table.split('\n').slice(2).join('\n')
  return meanings.flatMap(([sign, meaning]) => (sign.test(cells) ? [meaning] : []))
}

/**
 * What differs from the defaults of the libraries and the specification, by name; values and reasons are in the result.
 *
 * @param {AnyResult} result
 */
function settings(result) {
  const { path, settings } = changedSettings(result)
  /** @type {Map<string, string[]>} */
  const named = new Map()
  for (const { whose, name } of settings) named.set(whose, [...(named.get(whose) ?? []), name])
  const changed = [...named].map(([whose, names]) => `${whose} ${names.join(', ')}`.trimStart())
  return changed.length === 0
    ? []
    : [`Set other than the defaults (values in result.json, ${path}): ${changed.join('; ')}.`]
}

/**
 * inWords says a warning in words. A result of a later version may carry a code that this one has no text for.
 *
 * @param {Warning} warning
 * @returns {string}
 */
export function inWords(warning) {
  try {
    return describeWarning(warning)
  } catch {
    return `${warning.code} ${JSON.stringify(warning.values)}`
  }
}

/** @param {AnyResult} result */
const warnings = ({ run }) => run.warnings.map(warning => `⚠ ${inWords(warning)}`)

/**
 * tableNotes say how the figures of a result are to be read.
 *
 * @param {AnyResult} result
 * @returns {string[]}
 */
export const tableNotes = result => [
  ...NOTES[result.scenario].reading(result),
  ...signs(resultTable(result), NOTES[result.scenario].signs)
]

/**
 * failureNotes say what did not come about.
 *
 * @param {AnyResult} result
 * @returns {string[]}
 */
export const failureNotes = result => NOTES[result.scenario].failures(result)

/**
 * referenceNotes are what others saw of the same.
 *
 * @param {AnyResult} result
 * @returns {string[]}
 */
export const referenceNotes = result => NOTES[result.scenario].references(result)

/**
 * furtherNotes are figures that have no column in the table.
 *
 * @param {AnyResult} result
 * @returns {string[]}
 */
export const furtherNotes = result => NOTES[result.scenario].further(result)

/**
 * resultNotes are the lines under the table of a result.
 *
 * @param {AnyResult} result
 * @returns {string[]}
 */
export const resultNotes = result => [
  ...incomplete(result),
  ...thresholds(result),
  ...tableNotes(result),
  ...failureNotes(result),
  ...referenceNotes(result),
  ...furtherNotes(result),
  ...settings(result),
  ...warnings(result)
]
