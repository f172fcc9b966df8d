/** @typedef {import('./types.js').AnyResult} AnyResult */

/** The phases in which a load begins: what comes before them only makes ready. */
const LOADS = new Set(['preload', 'warmup', 'measure', 'publish'])

/** What is left at a target of others is to be told of. @param {AnyResult['run']} run */
const leftSomething = ({ warnings }) => warnings.some(({ code }) => code === 'LEFT_UNTIL_TTL')

/**
 * neverBegan says whether a run has failed, or goes on, before there was any load: there is nothing to show of it but why. What its user
 * ended is kept whatever it came to.
 *
 * @param {AnyResult} result
 */
export const neverBegan = ({ status, reason, run }) =>
  status === 'partial' &&
  reason?.code !== 'INTERRUPTED' &&
  !run.phases.some(({ name }) => LOADS.has(name)) &&
  !leftSomething(run)

/**
 * whyItNeverBegan says what was wrong in one line, its code at the end.
 *
 * @param {AnyResult} result
 * @returns {string} without a line break
 */
export const whyItNeverBegan = ({ reason }) => {
  const { code, message } = reason ?? { code: 'RUN_FAILED', message: 'the run failed' }
  const lines = message.split('\n').map(line => line.trim())
  return `${lines.filter(line => line !== '').join(' ')} (${code})`
}

/**
 * onceBegun is a consumer that is told nothing of what a run came to before it had begun.
 *
 * @param {import('./deliver.js').Consumer} consumer
 * @returns {import('./deliver.js').Consumer}
 */
export const onceBegun = ({ add, close }) => ({
  add: record => ('result' in record && neverBegan(record.result) ? undefined : add(record)),
  close
})
