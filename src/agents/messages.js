// The schemas of all messages between a run and its agents, the programs that an agent may start, and the version of the
// message format.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { SCENARIOS } from '../scenarios/index.js'

const at = (/** @type {string} */ path) => new URL(`../scenarios/${path}`, import.meta.url)

/** AGENT_ENTRIES are the programs that an agent starts, by the names that go over the bus: it takes no path from there. */
export const AGENT_ENTRIES = Object.freeze({
  'rendezvous-clients': at('rendezvous/worker/entry.js'),
  'gossip-nodes': at('gossip/run/gossip-entry.js'),
  'transfer-requestor': at('transfer/run/requestor-entry.js')
})

/** AGENT_SCENARIOS are the scenarios whose workers agents hold. A scenario of a user's own is code, and not among them. */
export const AGENT_SCENARIOS = Object.freeze(['rendezvous', 'gossip', 'transfer'])

/** findEntryName a program that an agent can start. @param {URL} entry @returns {string} @throws {Error} for what is not meant for agents */
export function findEntryName(entry) {
  const match = Object.entries(AGENT_ENTRIES).find(([, { href }]) => href === entry.href)
  if (match === undefined) throw new Error(`${entry.pathname} runs on this machine only`)
  return match[0]
}

const text = z.string()
const number = z.number()
const PLACE = z.number().int().nonnegative()

/** How messages are cut into parts and packed, which no schema tells: another number with each change in src/agents/bus/message-parts.js. */
export const PACKING_VERSION = 3

const release = { version: text, format: text }
const share = { plan: z.looseObject({ scenario: text }), workers: number }
const ofWorker = { id: number, worker: number }

/** @template {string} K @template {Record<string, z.ZodType>} P @param {K} kind @param {P} parts */
const makeRequestSchema = (kind, parts) => z.looseObject({ kind: z.literal(kind), run: text, ...parts })

/** REQUEST_SCHEMA is what an agent can be asked. `run` of `hold` and `release` is the study. */
export const REQUEST_SCHEMA = z.discriminatedUnion('kind', [
  makeRequestSchema('hold', { ...release, plans: z.array(z.looseObject(share)) }),
  makeRequestSchema('release', {}),
  makeRequestSchema('lease', { ...release, ...share, study: text.nullable() }),
  makeRequestSchema('open', { word: text }),
  makeRequestSchema('knock', { dials: z.array(z.looseObject({ to: text, word: text.nullable() })) }),
  makeRequestSchema('shut', {}),
  makeRequestSchema('end', {}),
  makeRequestSchema('start', {
    ...ofWorker,
    entry: text,
    name: text,
    setup: z.unknown(),
    calls: z.array(text),
    graceMs: number.nullish()
  }),
  makeRequestSchema('call', { ...ofWorker, method: text, args: z.array(z.unknown()) }),
  makeRequestSchema('stop', ofWorker),
  makeRequestSchema('kill', ofWorker)
])

/**
 * @typedef {z.infer<typeof REQUEST_SCHEMA>} AgentRequest
 * @typedef {Extract<AgentRequest, { worker: number }>} WorkerRequest - `id`: of the answer; `calls`: that the worker may make
 */

const REPORT_SCHEMA = z.discriminatedUnion('kind', [
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
  AGENT_SCENARIOS.map(
    async name =>
      (await (await SCENARIOS[/** @type {keyof typeof SCENARIOS} */ (name)].open()).schemas()).plan
  )
)

/** BUS_FORMAT of what is said on the bus: another one whenever a message or a plan is another, so that agents of other code are refused. */
export const BUS_FORMAT = createHash('sha256')
  .update(
    JSON.stringify([
      PACKING_VERSION,
      ...[REQUEST_SCHEMA, REPORT_SCHEMA, ...plans].map(schema =>
        z.toJSONSchema(/** @type {z.ZodType} */ (schema))
      )
    ])
  )
  .digest('hex')
  .slice(0, 12)

/**
 * What others say on the bus, as far as it is used. Whoever has its password can say anything there.
 */

const ID = z.string().regex(/^[\w-]{1,64}$/)
/** Nothing that a terminal would take for a command. */
const WORD = z.string().regex(/^[^\p{C}]{1,255}$/u)

/** @typedef {z.infer<typeof CARD>} AgentCard - what an agent tells of itself */

const CARD = z.object({
  id: ID,
  host: WORD,
  // at which others reach what listens on its machine
  address: WORD,
  tags: z.array(WORD).max(256),
  cores: z.number().positive(),
  memoryBytes: z.number().positive(),
  version: WORD,
  // of what it says on the bus
  format: z.string().optional().catch(undefined),
  node: WORD,
  // the run or the study that has it
  busy: ID.nullable()
})

/** MESSAGE_SCHEMAS are the schemas of what is read from the bus. */
export const MESSAGE_SCHEMAS = {
  // from an agent to its run
  report: REPORT_SCHEMA,
  // from an agent, to a request
  answer: z.looseObject({
    error: z.object({ message: z.string(), code: z.string().optional() }).optional()
  }),
  // from an agent that has opened a port to be tried
  opened: z.object({ port: z.number().int().min(1).max(65_535) }),
  // from an agent that has tried to reach others
  tried: z.object({ obstacles: z.array(WORD.nullable()) }),
  // from a run to an agent
  request: z.looseObject({ kind: z.string(), run: ID })
}

/** readAgentCard is what an agent says of itself under a key; null: this is no such thing. @param {string} key @param {unknown} value */
export function readAgentCard(key, value) {
  const { data } = CARD.safeParse(value)
  return data !== undefined && key === `agent.${data.id}` ? data : null
}

/**
 * parseBusMessage checks a message by its schema.
 *
 * @template {z.ZodType} S
 * @param {S} schema - one of MESSAGES
 * @param {unknown} value
 * @returns {z.infer<S>}
 * @throws {Error} for what is no such message
 */
export function parseBusMessage(schema, value) {
  const { success, data } = schema.safeParse(value)
  if (!success) throw new Error('not a message of libp2p-loadtest')
  return data
}

/**
 * makeIgnoredReport reports what is ignored on the bus, each place once.
 *
 * @param {(text: string) => void} say
 * @returns {(place: string) => void}
 */
export function makeIgnoredReport(say) {
  /** @type {Set<string>} */
  const named = new Set()
  return place => {
    if (named.has(place) || named.size === MAX_NAMED) return
    named.add(place)
    say(`${place} on the bus is not of this tool, and is ignored`)
  }
}

/** However much there is on a bus that is not ours, so many lines are written at most. */
const MAX_NAMED = 16
