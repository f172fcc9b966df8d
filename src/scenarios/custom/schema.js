// The schema of plans and results of a scenario that the user wrote, with limits for the description that it makes
// itself.
import { z } from 'zod'
import {
  descriptionSchema,
  limitedBy,
  MAX_DESCRIPTION_BYTES,
  number,
  text,
  threshold
} from '../../report/schema.js'
import { makePointsSchema, operationSchema } from '../rendezvous/schema.js'

/** makeCustomPlanSchema makes the schema of its plans, whose options are not known here. @param {string} name */
export const makeCustomPlanSchema = name =>
  z.looseObject({
    scenario: z.literal(name),
    seed: number,
    durationMs: number,
    thresholds: z.array(z.looseObject({ text })),
    commandLine: text.describe('that makes the plan')
  })

/** outcome describes the measurements of its operations, by their names. */
export const outcome = z.looseObject({
  operations: z.record(text, operationSchema),
  measuredMs: number,
  perSecond: makePointsSchema(text),
  secondsPerPoint: number.describe('that an entry of perSecond covers'),
  limitedBy: limitedBy.optional(),
  thresholds: z.array(threshold),
  description: descriptionSchema.optional().describe('what describeResult of the scenario gave')
})

/**
 * @typedef {import('../../report/schema.js').Description} Description
 * @typedef {{ description: Description, problem?: undefined } | { description?: undefined, problem: string }} CheckedDescription
 */

const MAX_NAMED_PROBLEMS = 3

/**
 * checkDescription checks the description that a user's own scenario made of its result: its form and its size.
 *
 * @param {unknown} value
 * @returns {CheckedDescription} the description as JSON has it, or the problem
 */
export function checkDescription(value) {
  /** @type {string | undefined} */
  let json
  try {
    json = JSON.stringify(value)
  } catch (error) {
    return { problem: /** @type {Error} */ (error).message.split('\n')[0] }
  }
  if (json === undefined) return { problem: 'gave nothing' }
  const bytes = Buffer.byteLength(json)
  if (bytes > MAX_DESCRIPTION_BYTES)
    return {
      problem: `is ${(bytes / 1e6).toFixed(1)} MB large, and at most ${MAX_DESCRIPTION_BYTES / 1e6} MB is stored`
    }
  const { success, data, error } = descriptionSchema.safeParse(JSON.parse(json))
  if (success) return { description: /** @type {Description} */ (data) }
  const named = error.issues
    .slice(0, MAX_NAMED_PROBLEMS)
    .map(({ path, message }) =>
      [pathText(path), message.replace(/^Invalid (input|option): /, '')].filter(Boolean).join(': ')
    )
  const more = error.issues.length - named.length
  return { problem: [...named, ...(more > 0 ? [`and ${more} more`] : [])].join('; ') }
}

/** As in code: tables[0].rows. @param {readonly PropertyKey[]} path */
const pathText = path =>
  path
    .map((key, i) => (typeof key === 'number' ? `[${key}]` : `${i === 0 ? '' : '.'}${String(key)}`))
    .join('')
