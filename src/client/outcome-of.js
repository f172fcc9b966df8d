import { ClientErrorCode } from './errors.js'

/** @type {Record<string, string>} */
const OUTCOME_OF_CODE = {
  [ClientErrorCode.TIMEOUT]: 'TIMEOUT',
  [ClientErrorCode.RESET]: 'RESET',
  [ClientErrorCode.ENDED]: 'RESET',
  [ClientErrorCode.MALFORMED]: 'BAD_REPLY',
  [ClientErrorCode.UNEXPECTED_REPLY]: 'BAD_REPLY',
  [ClientErrorCode.TOO_MUCH]: 'BAD_REPLY',
  [ClientErrorCode.ABANDONED]: 'ABANDONED',
  [ClientErrorCode.REFUSED]: 'REFUSED',
  [ClientErrorCode.LOCAL_PORTS_EXHAUSTED]: 'LOCAL_PORTS_EXHAUSTED',
  [ClientErrorCode.ABORTED]: 'INTERRUPTED'
}

/**
 * outcomeOf names what became of an operation that failed. Whatever left it without a connection is `LOST`.
 *
 * @param {unknown} error
 * @returns {import('../result/types.js').Outcome}
 */
export function outcomeOf(error) {
  const code = /** @type {{ code?: string }} */ (error)?.code
  return (code != null && OUTCOME_OF_CODE[code]) || 'LOST'
}
