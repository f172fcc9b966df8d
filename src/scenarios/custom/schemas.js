import { z } from 'zod'
import { descriptionSchema } from '../../report/description/description.js'
import { limitedBy, number, text, threshold } from '../../result/schema-parts.js'
import { operation, pointsOverTime } from '../rendezvous/outcome-schema.js'

/** planOf describes plans of a scenario of a user's own, whose options are not known here. @param {string} name */
export const planOf = name =>
  z.looseObject({
    scenario: z.literal(name),
    seed: number,
    durationMs: number,
    thresholds: z.array(z.looseObject({ text })),
    commandLine: text.describe('that makes the plan')
  })

/** outcome is what was measured of its operations, by their names. */
export const outcome = z.looseObject({
  operations: z.record(text, operation),
  measuredMs: number,
  perSecond: pointsOverTime(text),
  secondsPerPoint: number.describe('that an entry of perSecond covers'),
  limitedBy: limitedBy.optional(),
  thresholds: z.array(threshold),
  description: descriptionSchema.optional().describe('what describeResult of the scenario gave')
})
