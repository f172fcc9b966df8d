import { DEFAULT_STACK, serverStackOf } from '../libp2p/stacks.js'

/** tuningOf says whether nodes of ours are libp2p as published. Plans of earlier versions name none. @param {{ stock?: boolean }} plan */
export const tuningOf = ({ stock = false }) => (stock ? 'stock' : 'tuned')

/** @param {readonly string[]} names */
const inTurn = names => `on ${names.join(' and ')}${names.length > 1 ? ' in turn' : ''}`

/** @param {readonly string[]} names */
const isUsual = names => names.length === 1 && names[0] === DEFAULT_STACK

/**
 * stackWords say which generations of libp2p a run is of, where that is not the usual one.
 *
 * @param {{ stack?: readonly string[], serverStack?: string | null, target?: string | null }} plan
 * @returns {string[]}
 */
export function stackWords({ stack = [DEFAULT_STACK], serverStack = null, target = null }) {
  const server = serverStackOf({ stack, serverStack })
  const own = target === null && serverStack !== null && !(stack.length === 1 && stack[0] === server)
  return [...(isUsual(stack) ? [] : [inTurn(stack)]), ...(own ? [`server ${inTurn([server])}`] : [])]
}
