/**
 * @typedef {import('../../../load/mix.js').MixedType} MixedType
 * @typedef {import('../../../load/registration-ledger.js').RegistrationLedger} RegistrationLedger
 * @typedef {Pick<import('./load-client.js').LoadClientComponents, 'namespaces' | 'plan' | 'random'>} Drawing
 *
 * @typedef {object} Operation - of one client, before it is sent
 * @property {Exclude<MixedType, 'PUBLISH'>} type
 * @property {string | undefined} ns - undefined: nothing is left to unregister
 * @property {boolean} sent
 */

/**
 * chosen says what the next operation of a client is about. It is asked when one is due: the k-th operation of a client is the same
 * however long those before it take. A mix that draws an UNREGISTER while nothing is registered swaps it with the next REGISTER.
 *
 * @param {Exclude<MixedType, 'PUBLISH'>} drawn
 * @param {RegistrationLedger} ledger
 * @param {Drawing} drawing
 * @returns {Operation}
 */
export function chosen(drawn, ledger, drawing) {
  if (drawn === 'DISCOVER') return { type: drawn, ns: discovered(drawing), sent: false }
  const { benchmarkType, registerMode } = drawing.plan
  if (benchmarkType === 'UNREGISTER') return { type: drawn, ns: ledger.release(), sent: false }
  if (removesNow(drawn, ledger)) return { type: 'UNREGISTER', ns: ledger.release(), sent: false }
  const refreshed = registerMode === 'refresh' ? ledger.next() : undefined
  return { type: 'REGISTER', ns: refreshed ?? ledger.fresh(), sent: false }
}

/** @param {MixedType} drawn - REGISTER or UNREGISTER @param {RegistrationLedger} ledger */
function removesNow(drawn, ledger) {
  if (drawn === 'UNREGISTER' && ledger.held === 0) ledger.owed++
  else if (drawn === 'REGISTER' && ledger.owed > 0 && ledger.held > 0) {
    ledger.owed--
    return true
  } else return drawn === 'UNREGISTER'
  return false
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
