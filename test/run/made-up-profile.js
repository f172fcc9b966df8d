/**
 * @typedef {import('../../src/measure/process-profile.js').CpuProfile} CpuProfile
 *
 * @typedef {string | [functionName: string, url: string, lineNumber?: number]} Frame - a name alone is native code
 */

/** @param {Frame} frame */
function callFrame(frame) {
  const [functionName, url, lineNumber] = typeof frame === 'string' ? [frame, '', -1] : frame
  return { functionName, scriptId: '0', url, lineNumber: lineNumber ?? 0, columnNumber: 0 }
}

/**
 * madeUpProfile is what V8 would give for these stacks, each on top for its time, one sample after the other.
 *
 * @param {...[micros: number, ...stack: Frame[]]} stacks - from the outermost function to the one on top
 * @returns {CpuProfile}
 */
export function madeUpProfile(...stacks) {
  /** @type {import('../../src/measure/process-profile.js').ProfileNode[]} */
  const nodes = [{ id: 1, callFrame: callFrame('(root)'), children: [] }]

  /** @param {number} parent @param {Frame} frame */
  const childOf = (parent, frame) => {
    const children = nodes[parent - 1].children ?? []
    const wanted = JSON.stringify(callFrame(frame))
    const known = children.find(id => JSON.stringify(nodes[id - 1].callFrame) === wanted)
    if (known !== undefined) return known
    const id = nodes.length + 1
    nodes.push({ id, callFrame: callFrame(frame), children: [] })
    children.push(id)
    return id
  }

  const samples = stacks.map(([, ...stack]) => stack.reduce(childOf, 1))
  const micros = stacks.map(([time]) => time)
  return {
    nodes,
    startTime: 5000,
    endTime: 5000 + micros.reduce((sum, time) => sum + time, 0),
    samples,
    timeDeltas: [0, ...micros.slice(0, -1)]
  }
}

/** INSTALLED is where packages stand in made-up profiles. */
export const INSTALLED = 'file:///somewhere/node_modules'

/** RECEIVE, VERIFY and ENCODE are functions that a node of gossip calls. @type {Frame} */
export const RECEIVE = ['handleReceivedRpc', `${INSTALLED}/@libp2p/gossipsub/dist/src/gossipsub.js`, 727]
/** @type {Frame} */
export const VERIFY = ['verifyOneShot', 'node:internal/crypto/sig', 232]
/** @type {Frame} */
export const ENCODE = ['encode', `${INSTALLED}/protons-runtime/dist/src/encode.js`, 9]

/**
 * madeUpHeap is what V8 would give where such functions allocated so many bytes each.
 *
 * @param {...[bytes: number, frame: Frame]} allocations
 * @returns {import('../../src/measure/process-profile.js').HeapProfile}
 */
export const madeUpHeap = (...allocations) => ({
  head: {
    ...{ id: 1, callFrame: callFrame('(root)'), selfSize: 0 },
    children: allocations.map(([selfSize, frame], place) => ({
      ...{ id: place + 2, callFrame: callFrame(frame), selfSize, children: [] }
    }))
  },
  samples: allocations.map(([size], place) => ({ size, nodeId: place + 2 }))
})
