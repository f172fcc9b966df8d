/** Libp2p's registrar itself says why nobody handles a protocol, once and without a stack trace. @param {{ registrar: any }} components */
export const quietRegistrar = ({ registrar }) => {
  const { getHandler } = registrar
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
    getHandler(/** @type {string} */ protocol) {
      if (!known.has(protocol)) known.set(protocol, lacks(protocol))
      const lacking = known.get(protocol)
      if (lacking !== null) throw lacking
      return getHandler.call(registrar, protocol)
    }
  })
}
