import { packageLacks } from './package-lacks.js'

const PACKAGE = '@chainsafe/libp2p-quic'
/** Its module is made for this Node and later ones, and is not installed on others. */
const LEAST_NODE = 22

/**
 * quicLacks says why transport quic cannot be used here.
 *
 * @param {string} node - version of Node
 * @returns {string | null} null: it can
 */
export function quicLacks(node) {
  if (Number(node.split('.')[0]) < LEAST_NODE)
    return `wants Node ${LEAST_NODE} or later (${PACKAGE} 2); this is ${node}: use tcp or websocket`
  const why = packageLacks([PACKAGE], { node, install: `npm install ${PACKAGE}@2` })
  return why.length === 0 ? null : `cannot be used here: ${why.join('; ')}`
}
