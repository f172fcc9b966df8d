import { present } from '../../../kit/lists.js'
import { timeLimit } from '../../../kit/time-limit.js'

/**
 * @typedef {import('../../../target/target.js').Target} Target
 * @typedef {Record<string, number>} Counts - that grow
 */

/** What a server says of its pool now; one that is paused or gone says nothing. */
const ANSWER_WITHIN_MS = 2000

/**
 * watchStoreWork notes what pools and database have done so far, and gives what they did since then.
 *
 * @param {Target} target
 * @returns {Promise<(measurement: Pick<import('../measure/measurement.js').Measurement, 'storeWork'>) => Promise<void>>} adds it
 */
export async function watchStoreWork(target) {
  const beganMs = performance.now()
  const before = await readAll(target)
  return async ({ storeWork }) => {
    const after = await readAll(target)
    for (const [name, now] of after) {
      const sum = storeWork.get(name) ?? {}
      storeWork.set(name, { ...sum, ...grown(sum, before.get(name) ?? {}, now) })
      const all = /** @type {Counts} */ (storeWork.get(name))
      all.wallMs = (sum.wallMs ?? 0) + performance.now() - beganMs
    }
  }
}

/** Who was started again counts from 0. @param {Counts} sum @param {Counts} before @param {Counts} now */
const grown = (sum, before, { connections, ...now }) => ({
  ...(connections !== undefined && { connections }),
  ...Object.fromEntries(
    Object.entries(now).map(([key, value]) => {
      const began = before[key] ?? 0
      return [key, (sum[key] ?? 0) + (value < began ? value : value - began)]
    })
  )
})

/** @param {Target} target @returns {Promise<Map<string, Counts>>} by name */
async function readAll({ members = [], databaseWork }) {
  const pools = members.map(async ({ name, control }) => {
    const pool = await poolOf(control)
    return pool === undefined ? false : /** @type {[string, Counts]} */ ([name, { ...pool }])
  })
  const work = await databaseWork?.()
  return new Map(present([...(await Promise.all(pools)), work != null && ['database', { ...work }]]))
}

/** @param {Target['control']} control */
async function poolOf(control) {
  try {
    return (await control?.state(timeLimit(ANSWER_WITHIN_MS)))?.store?.pool
  } catch {
    return undefined
  }
}
