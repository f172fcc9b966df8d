/** @typedef {import('@libp2p/interface-internal').Registrar} Registrar */

/**
 * quietRegistrar is libp2p's registrar, but says that nobody handles a protocol without a stack trace, and by the same error each time: libp2p
 * asks that at each stream which a client opens, catches the answer, and pays a twentieth of the stream for it.
 *
 * Given as the service `registrar` it is the one that connections ask.
 *
 * @param {{ registrar: Registrar }} components
 * @returns {Registrar}
 */
export const quietRegistrar = ({ registrar }) => {
  /** why there is no handler, by protocol; null: there is one @type {Map<string, unknown>} */
  const known = new Map()
  const lacks = (/** @type {string} */ protocol) => {
    const usual = Error.stackTraceLimit
    Error.stackTraceLimit = 0
    try {
      registrar.getHandler(protocol)
      return null
    } catch (error) {
      return error
    } finally {
      Error.stackTraceLimit = usual
    }
  }
  return {
    getHandler(protocol) {
      if (!known.has(protocol)) known.set(protocol, lacks(protocol))
      const lacking = known.get(protocol)
      if (lacking !== null) throw lacking
      return registrar.getHandler(protocol)
    },
    handle(...args) {
      known.clear()
      return registrar.handle(...args)
    },
    unhandle(...args) {
      known.clear()
      return registrar.unhandle(...args)
    },
    getProtocols: () => registrar.getProtocols(),
    getTopologies: protocol => registrar.getTopologies(protocol),
    register: (...args) => registrar.register(...args),
    unregister: id => registrar.unregister(id),
    use: (...args) => registrar.use(...args),
    unuse: protocol => registrar.unuse(protocol),
    getMiddleware: protocol => registrar.getMiddleware(protocol)
  }
}
