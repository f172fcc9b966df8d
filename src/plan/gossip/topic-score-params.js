import { z } from 'zod'

/**
 * topicScoreParams is the kind of --topicScoreParams: parameters by topic, as the library takes them. A file is read before the
 * plan is made.
 *
 * @returns {import('../values.js').Kind & { write: (value: object) => string }}
 */
export const topicScoreParams = () => ({
  allowed:
    'must hold parameters by topic, such as { foo: { topicWeight: 1, timeInMeshWeight: 0.01, timeInMeshQuantum: 1000 } }',
  schema: z.record(z.string(), z.record(z.string(), z.union([z.number(), z.boolean()]))),
  write: value => JSON.stringify(value)
})
