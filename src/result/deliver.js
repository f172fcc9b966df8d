import { resultToKeep } from './compact.js'

/**
 * @typedef {import('./types.js').Record_} Record_
 * @typedef {import('./types.js').AnyResult} AnyResult
 *
 * @typedef {object} Consumer
 * @property {(record: Record_) => void | Promise<void>} add
 * @property {() => void | Promise<void>} close
 *
 * @typedef {object} Delivered
 * @property {AnyResult | null} result - the last one known, maybe partial and then without what only plots need
 * @property {boolean} finished - the last record was a result
 * @property {unknown[]} errors - of the run and of consumers
 */

/**
 * deliver hands the records of a run to its consumers, in order. A consumer that fails gets no more records and takes
 * nothing from the others; all are closed whatever happens.
 *
 * @param {AsyncIterable<Record_>} records
 * @param {Consumer[]} consumers
 * @returns {Promise<Delivered>}
 */
export async function deliver(records, consumers) {
  /** @type {Delivered} */
  const delivered = { result: null, finished: false, errors: [] }
  const failed = new Set()

  /** @param {Consumer} consumer @param {() => void | Promise<void>} act */
  async function attempt(consumer, act) {
    try {
      await act()
    } catch (error) {
      failed.add(consumer)
      delivered.errors.push(error)
    }
  }

  try {
    for await (const record of records) {
      if (record.type === 'partial' || record.type === 'result') delivered.result = resultToKeep(record)
      delivered.finished = record.type === 'result'
      for (const consumer of consumers) {
        if (!failed.has(consumer)) await attempt(consumer, () => consumer.add(record))
      }
    }
  } catch (error) {
    delivered.errors.push(error)
  }
  for (const consumer of consumers) await attempt(consumer, () => consumer.close())
  return delivered
}
