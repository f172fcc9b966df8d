/** @typedef {import('../../plan/ways.js').Way} Way */

/** @type {Readonly<Record<Way, () => Promise<{ WAY: import('./way.js').WayModule }>>>} */
const MODULES = Object.freeze({
  blocks: () => import('./blocks.js'),
  http: () => import('./http.js'),
  'libp2p-http': () => import('./libp2p-http.js'),
  stream: () => import('./stream.js'),
  https: () => import('./https.js')
})

/** loadWay imports a way with the packages it needs. @param {Way} way */
export const loadWay = async way => (await MODULES[way]()).WAY
