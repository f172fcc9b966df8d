/** The peer store that all parts of libp2p have taken keeps nothing. */
import { NotFoundError } from '@libp2p/interface'

async function missing() {
  const usual = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  const error = new NotFoundError('nothing is kept')
  Error.stackTraceLimit = usual
  throw error
}

const stranger = async (/** @type {unknown} */ id) => ({
  ...{ id, addresses: [], protocols: [], metadata: new Map(), tags: new Map() }
})

const NOTHING_KEPT = {
  ...{ forEach: async () => {}, all: async () => [], delete: async () => {}, has: async () => false },
  ...{ get: missing, getInfo: missing, save: stranger, patch: stranger, merge: stranger },
  consumePeerRecord: async () => false
}

/** @param {{ peerStore: object }} components */
export const noPeerStore = ({ peerStore }) => Object.assign(peerStore, NOTHING_KEPT)
