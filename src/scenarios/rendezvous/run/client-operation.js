/**
 * @typedef {import('../../../load/mix.js').MixedType} MixedType
 * @typedef {import('../../../load/registration-ledger.js').RegistrationLedger} RegistrationLedger
 * @typedef {Pick<import('./load-client.js').LoadClientComponents, 'namespaces' | 'plan' | 'random'>} Drawing
 *
 * @typedef {object} Operation - of one client, before it is sent
 * @property {MixedType} type
 * @property {string | undefined} ns - undefined: nothing is left to unregister
 * @property {boolean} sent
 */

/**
 * chosen says what the next operation of a client is about. It is asked when one is due: the k-th operation of a client is the same
 * however long those before it take.
 *
 * @param {MixedType} type
 * @param {RegistrationLedger} ledger
 * @param {Drawing} drawing
 * @returns {Operation}
 */
export function chosen(type, ledger, drawing) {
  if (type === 'DISCOVER') return { type, ns: discovered(drawing), sent: false }
  if (type === 'UNREGISTER') return { type, ns: ledger.release(), sent: false }
  const refreshed = drawing.plan.registerMode === 'refresh' ? ledger.any() : undefined
  return { type, ns: refreshed ?? ledger.fresh(), sent: false }
}

/** One of the namespaces at random. @param {Drawing} drawing */
function discovered({ namespaces, plan, random }) {
  const index = Math.floor(random() * plan.nNamespaces)
  return plan.discoverInexistentNamespaces ? namespaces.inexistent(index) : namespaces.planned(index)
}

/**
 * takeBack notes that an operation failed: it changed nothing, or nobody knows.
 *
 * @param {Operation} operation
 * @param {RegistrationLedger} ledger
 */
export function takeBack({ type, ns, sent }, ledger) {
  if (ns === undefined) return
  if (type === 'UNREGISTER') ledger.hold(ns)
  if (type === 'REGISTER' && !sent) ledger.unused(ns)
}
