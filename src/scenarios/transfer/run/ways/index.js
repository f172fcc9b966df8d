/** @typedef {import('../../plan/ways.js').Way} Way */

/** @type {Readonly<Record<Way, () => Promise<import('./way.js').WayModule>>>} */
const WAYS = Object.freeze({
  blocks: async () => (await import('./stream.js')).BLOCKS,
  http: async () => (await import('./http.js')).HTTP_WAY,
  https: async () => (await import('./http.js')).HTTPS_WAY,
  'libp2p-http': async () => (await import('./libp2p-http.js')).LIBP2P_HTTP,
  stream: async () => (await import('./stream.js')).STREAM
})

/** loadWay imports a way with the packages it needs. @param {Way} way */
export const loadWay = way => WAYS[way]()
