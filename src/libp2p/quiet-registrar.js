/**
 * quietRegistrar has libp2p's registrar say that nobody handles a protocol without a stack trace: libp2p asks that at each stream which a
 * client opens, catches the answer, and pays a twentieth of the stream for the trace.
 *
 * Given as the service `registrar` it is the one there is.
 *
 * @returns {(components: { registrar: import('@libp2p/interface-internal').Registrar }) => import('@libp2p/interface-internal').Registrar}
 */
export const quietRegistrar =
  () =>
  ({ registrar }) => {
    const getHandler = registrar.getHandler.bind(registrar)
    registrar.getHandler = protocol => {
      const usual = Error.stackTraceLimit
      Error.stackTraceLimit = 0
      try {
        return getHandler(protocol)
      } finally {
        Error.stackTraceLimit = usual
      }
    }
    return registrar
  }
