import { createHash } from 'node:crypto'
import { z } from 'zod'
import { SCENARIOS } from '../scenarios/index.js'
import { OVER_AGENTS } from './entries.js'

const text = z.string()
const number = z.number()
const PLACE = z.number().int().nonnegative()

/** How messages are cut into parts and packed, which no schema tells: another number with each change in src/bus/parts.js. */
export const PACKING = 3

const release = { version: text, format: text }
const share = { plan: z.looseObject({ scenario: text }), workers: number }
const ofWorker = { id: number, worker: number }

/** @param {string} kind @param {Record<string, z.ZodType>} [parts] */
const asked = (kind, parts = {}) => z.looseObject({ kind: z.literal(kind), run: text, ...parts })

/** ASKED is what an agent can be asked. `run` of `hold` and `release` is the study. */
export const ASKED = z.discriminatedUnion('kind', [
  asked('hold', { ...release, plans: z.array(z.looseObject(share)) }),
  asked('release'),
  asked('lease', { ...release, ...share, study: text.nullable() }),
  asked('open', { word: text }),
  asked('knock', { dials: z.array(z.looseObject({ to: text, word: text.nullable() })) }),
  asked('shut'),
  asked('end'),
  asked('start', {
    ...ofWorker,
    entry: text,
    name: text,
    setup: z.unknown(),
    calls: z.array(text),
    graceMs: number.nullish()
  }),
  asked('call', { ...ofWorker, method: text, args: z.array(z.unknown()) }),
  asked('stop', ofWorker),
  asked('kill', ofWorker)
])

/** TOLD is what an agent tells a run. */
export const TOLD = z.discriminatedUnion('kind', [
  z.looseObject({
    kind: z.literal('result'),
    id: PLACE,
    result: z.unknown().optional(),
    error: z.looseObject({ message: text, code: text.optional() }).optional()
  }),
  z.looseObject({ kind: z.literal('called'), worker: PLACE, method: text, args: z.array(z.unknown()) }),
  z.looseObject({ kind: z.literal('died'), worker: PLACE, message: text })
])

/** Of the scenarios whose workers agents hold. */
const plans = await Promise.all(
  OVER_AGENTS.map(
    async name =>
      (await (await SCENARIOS[/** @type {keyof typeof SCENARIOS} */ (name)].open()).schemas()).plan
  )
)

/** FORMAT of what is said on the bus: another one whenever a message or a plan is another, so that agents of other code are refused. */
export const FORMAT = createHash('sha256')
  .update(
    JSON.stringify([
      PACKING,
      ...[ASKED, TOLD, ...plans].map(schema => z.toJSONSchema(/** @type {z.ZodType} */ (schema)))
    ])
  )
  .digest('hex')
  .slice(0, 12)
