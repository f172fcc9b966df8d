/**
 * serverIn says where the server under test runs.
 *
 * @param {import('../../../target/target.js').Target} target
 * @param {string | null} why - what --server auto was decided by
 * @returns {string}
 */
export function serverIn({ kind, multiaddr, container }, why) {
  if (kind === 'address') return multiaddr
  const where = container === null ? 'process' : `container of ${container.image}`
  return `${where}, ${multiaddr}${why === null ? '' : ` (--server auto: ${why})`}`
}
