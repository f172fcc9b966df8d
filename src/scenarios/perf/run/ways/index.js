/** @typedef {import('./way.js').Ends} Ends */

/**
 * endsOf loads what both ends of a way are made of.
 *
 * @param {import('./way.js').Way} way
 * @returns {Promise<Ends>}
 */
export async function endsOf({ kind }) {
  switch (kind) {
    case 'libp2p':
      return (await import('./libp2p.js')).LIBP2P
    case 'tcp':
      return (await import('./sockets.js')).TCP
    case 'tls':
      return (await import('./sockets.js')).TLS
    case 'http':
      return (await import('./http.js')).HTTP
    case 'http2':
      return (await import('./http.js')).HTTP2
  }
}
