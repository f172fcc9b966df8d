import { unknownKey } from '../../../kit/problem-words.js'
import { readTextSync, unreadable } from '../../../kit/text-file.js'
import { parseYaml, YamlError } from '../../../plan/yaml-file.js'

/** @typedef {import('./topology-option.js').ReadText} ReadText */

const ALLOWED =
  'must hold parameters by topic, such as { foo: { topicWeight: 1, timeInMeshWeight: 0.01, timeInMeshQuantum: 1000 } }'

/** Names in the library. */
export const TOPIC_SCORE_PARAMS = [
  'topicWeight',
  ...['timeInMeshWeight', 'timeInMeshQuantum', 'timeInMeshCap'],
  ...['firstMessageDeliveriesWeight', 'firstMessageDeliveriesDecay', 'firstMessageDeliveriesCap'],
  ...['meshMessageDeliveriesWeight', 'meshMessageDeliveriesDecay', 'meshMessageDeliveriesCap'],
  ...['meshMessageDeliveriesThreshold', 'meshMessageDeliveriesWindow', 'meshMessageDeliveriesActivation'],
  ...['meshFailurePenaltyWeight', 'meshFailurePenaltyDecay'],
  ...['invalidMessageDeliveriesWeight', 'invalidMessageDeliveriesDecay']
]

/** @param {import('../../../plan/values.js').Zod} z */
const schema = z => z.record(z.string(), z.record(z.string(), z.union([z.number(), z.boolean()])))

/**
 * @param {string} text - YAML or JSON, or `file:<path>` of such a file
 * @param {ReadText} readText
 * @returns {{ value: unknown } | { allowed: string }}
 */
function readFrom(text, readText) {
  const path = /^file:(.*)$/s.exec(text.trim())?.[1]
  try {
    return { value: parseYaml(path === undefined ? text : readText(path)) }
  } catch (error) {
    return { allowed: error instanceof YamlError ? error.message : unreadable(error) }
  }
}

/**
 * topicScoreParams is the kind of --topicScoreParams: parameters by topic, as the library takes them, as a mapping, as its text or
 * in a file. The file is read here, so that a plan holds all that its run needs.
 *
 * @param {ReadText} [readText]
 * @returns {import('../../../plan/values.js').Kind & { write: (value: object) => string }}
 */
export const topicScoreParams = (readText = readTextSync) => ({
  allowed: ALLOWED,
  read: (value, z) => {
    const read = typeof value === 'string' ? readFrom(value, readText) : { value }
    if ('allowed' in read) return read
    const { success, data } = schema(z).safeParse(read.value)
    if (!success) return { allowed: ALLOWED }
    for (const [topic, params] of Object.entries(data)) {
      const stranger = unknownKey(params, TOPIC_SCORE_PARAMS)
      if (stranger !== null) return { allowed: `topic ${topic} ${stranger}` }
    }
    return { value: data }
  },
  schema,
  write: value => JSON.stringify(value)
})
