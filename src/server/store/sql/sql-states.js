/**
 * By SQLSTATE, or the beginning of one (PostgreSQL, appendix A).
 *
 * @type {ReadonlyArray<[kind: 'conflict' | 'full' | 'crowded' | 'slow' | 'away', states: readonly string[]]>}
 */
const KINDS = [
  // 40003, whose outcome is unknown, is no conflict
  ['conflict', ['40001', '40P01']],
  ['full', ['53100', '53200', '53400', '54000']],
  // a statement or a lock took too long
  ['slow', ['57014', '55P03', '25P03', '25P04', '40003']],
  // it is there, and takes no more connections
  ['crowded', ['53300']],
  // no connection, shutting down, read-only after a change of roles; passwords and databases that were changed
  ['away', ['08', '57P', '25006', '28', '3D000', 'XX']]
]

/** Of the system's, when there is no connection. */
const SYSTEM = /^E[A-Z_]{3,}$/
/** Of `pg`, which gives these no code. */
const LOST = /connection terminated|connection ended|read timeout|not queryable|worker ended/i
/** All connections of its pool were in use for too long: one that cannot be made says something else. */
const POOL_IN_USE = /timeout exceeded when trying to connect/i

/**
 * kindOf says what an error of a database is about. What is none of these is a defect of ours.
 *
 * @param {unknown} error
 * @returns {'conflict' | 'full' | 'crowded' | 'slow' | 'away' | 'ours'}
 */
export function kindOf(error) {
  const { code = '', message = '' } = /** @type {Partial<Error & { code: string }>} */ (error)
  const [kind] = KINDS.find(([, states]) => states.some(state => code.startsWith(state))) ?? []
  if (kind !== undefined && /^[0-9A-Z]{5}$/.test(code) && !SYSTEM.test(code)) return kind
  if (SYSTEM.test(code) || LOST.test(message)) return 'away'
  return POOL_IN_USE.test(message) ? 'slow' : (kind ?? 'ours')
}
