import { z } from 'zod'
import { TOLD } from './messages.js'

/**
 * What others say on the bus, as far as it is used. Whoever has its password can say anything there.
 */

const ID = z.string().regex(/^[\w-]{1,64}$/)
/** Nothing that a terminal would take for a command. */
const WORD = z.string().regex(/^[^\p{C}]{1,255}$/u)

const CARD = z.object({
  id: ID,
  host: WORD,
  address: WORD,
  tags: z.array(WORD).max(256),
  cores: z.number().positive(),
  memoryBytes: z.number().positive(),
  version: WORD,
  format: z.string().optional().catch(undefined),
  node: WORD,
  busy: ID.nullable()
})

const ERROR = z.object({ message: z.string(), code: z.string().optional() })

const ANSWER = z.looseObject({ error: ERROR.optional() })
const OPENED = z.object({ port: z.number().int().min(1).max(65_535) })
const KNOCKED = z.object({ found: z.array(WORD.nullable()) })
const ASKED = z.looseObject({ kind: z.string(), run: ID })

/** cardIn is what an agent says of itself under a key; null: this is no such thing. @param {string} key @param {unknown} value */
export function cardIn(key, value) {
  const { data } = CARD.safeParse(value)
  return data !== undefined && key === `agent.${data.id}` ? data : null
}

/** toldIn is what an agent tells a run. @param {unknown} value @throws {Error} for what no agent tells */
export const toldIn = value => held(TOLD, value)

/** answerIn is what an agent answers. @param {unknown} value @throws {Error} for what no agent answers */
export const answerIn = value => held(ANSWER, value)

/** openedIn is its answer when it has opened a door. @param {unknown} value @throws {Error} as answerIn */
export const openedIn = value => held(OPENED, value)

/** knockedIn is its answer when it has tried others. @param {unknown} value @throws {Error} as answerIn */
export const knockedIn = value => held(KNOCKED, value)

/** askedIn is what a run asks of an agent. @param {unknown} value @throws {Error} for what no run asks */
export const askedIn = value => held(ASKED, value)

/** @template {z.ZodType} S @param {S} schema @param {unknown} value @returns {z.infer<S>} */
function held(schema, value) {
  const { success, data } = schema.safeParse(value)
  if (!success) throw new Error('this is no message of ours')
  return data
}

/**
 * passedOver names what is passed over, each place once.
 *
 * @param {(text: string) => void} say
 * @returns {(place: string) => void}
 */
export function passedOver(say) {
  /** @type {Set<string>} */
  const named = new Set()
  return place => {
    if (named.has(place) || named.size === MOST_NAMED) return
    named.add(place)
    say(`${place} on the bus is not what this tool says there, and is passed over`)
  }
}

/** Whoever fills a bus with what is odd fills no screen. */
const MOST_NAMED = 16
