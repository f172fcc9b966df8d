/** @typedef {import('@libp2p/interface-internal').Registrar} Registrar */

/**
 * quietRegistrar has libp2p's registrar say that nobody handles a protocol without a stack trace, and by the same error each time: libp2p
 * asks that at each stream which a client opens, catches the answer, and pays a twentieth of the stream for it.
 *
 * Given as the service `registrar` it is the one there is.
 *
 * @returns {(components: { registrar: Registrar }) => Registrar}
 */
export const quietRegistrar =
  () =>
  ({ registrar }) => {
    const { getHandler, handle, unhandle } = registrar
    /** why there is no handler, by protocol; null: there is one @type {Map<string, unknown>} */
    const known = new Map()
    const lacks = (/** @type {string} */ protocol) => {
      const usual = Error.stackTraceLimit
      Error.stackTraceLimit = 0
      try {
        getHandler.call(registrar, protocol)
        return null
      } catch (error) {
        return error
      } finally {
        Error.stackTraceLimit = usual
      }
    }
    return Object.assign(registrar, {
      /** @type {Registrar['getHandler']} */
      getHandler(protocol) {
        if (!known.has(protocol)) known.set(protocol, lacks(protocol))
        const lacking = known.get(protocol)
        if (lacking !== null) throw lacking
        return getHandler.call(registrar, protocol)
      },
      /** @type {Registrar['handle']} */
      handle(...args) {
        known.clear()
        return handle.apply(registrar, args)
      },
      /** @type {Registrar['unhandle']} */
      unhandle(...args) {
        known.clear()
        return unhandle.apply(registrar, args)
      }
    })
  }
