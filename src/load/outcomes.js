/** Outcomes without a reply: their time is only known to be longer than what was waited. */
const CENSORED = new Set([
  'TIMEOUT',
  'RESET',
  'LOST',
  'SERVER_GONE',
  'ABANDONED',
  'REFUSED',
  'FAILED',
  'LOCAL_PORTS_EXHAUSTED',
  'DROPPED',
  'INTERRUPTED'
])

/** isCensored says whether an operation with this outcome got no reply. @param {string} outcome */
export const isCensored = outcome => CENSORED.has(outcome)
