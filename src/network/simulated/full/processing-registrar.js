import { ProcessedStream } from './processed-stream.js'

/** @typedef {import('@libp2p/interface-internal').Registrar} Registrar */

/**
 * processingRegistrar hands on to a registrar, with handlers whose streams take the node's time for what comes. libp2p's own middleware
 * would be the place for it, but of 3.3 runs all handlers that a protocol has had streams for once more with each further stream.
 *
 * @param {Registrar} registrar
 * @param {import('../processing.js').Processing} processing - of the node
 * @returns {Registrar}
 */
export const processingRegistrar = (registrar, processing) => ({
  getProtocols: () => registrar.getProtocols(),
  handle: (protocol, handler, options) =>
    registrar.handle(
      protocol,
      (stream, connection) => handler(new ProcessedStream(stream, processing), connection),
      options
    ),
  unhandle: (protocol, options) => registrar.unhandle(protocol, options),
  getHandler: protocol => registrar.getHandler(protocol),
  use: (protocol, middleware) => registrar.use(protocol, middleware),
  unuse: protocol => registrar.unuse(protocol),
  getMiddleware: protocol => registrar.getMiddleware(protocol),
  register: (protocol, topology, options) => registrar.register(protocol, topology, options),
  unregister: id => registrar.unregister(id),
  getTopologies: protocol => registrar.getTopologies(protocol)
})
