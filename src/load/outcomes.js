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

/** LOOK_UP_FOR_MS: the look-up ends here; namespaces that were not read to their end by then are left out. */
export const LOOK_UP_FOR_MS = 10_000

/** OUT_OF_TIME is the problem of a look-up that the target answered, but not to the end. */
export const OUT_OF_TIME = `there was not enough time in ${LOOK_UP_FOR_MS / 1000} s`
