import { loadStacks } from './load-stacks.js'

/** @typedef {import('./types.js').NamedStack} NamedStack */

/** STACKS there are, by name. */
export const STACKS = await loadStacks(new URL('./', import.meta.url))

/** DEFAULT_STACK is the one with the maintained packages. */
export const DEFAULT_STACK = 'libp2p-3'

/**
 * stackNamed gives a stack.
 *
 * @param {string} name
 * @returns {NamedStack}
 */
export function stackNamed(name) {
  const stack = STACKS.get(name)
  if (stack === undefined)
    throw new Error(`there is no stack ${name}: choose from ${[...STACKS.keys()].join(', ')}`)
  return stack
}

/**
 * serverStackOf says which stack our server runs on.
 *
 * @param {{ stack?: readonly string[], serverStack?: string | null }} plan
 */
export const serverStackOf = ({ stack, serverStack }) => serverStack ?? stackNameOf(stack, 0)

/**
 * stackNameOf says which stack a node or client runs on. Several stacks are dealt out by number, so that each has as many.
 *
 * @param {readonly string[] | undefined} names - of a plan; plans of earlier versions have none
 * @param {number} index - of the node or client
 */
export const stackNameOf = (names = [DEFAULT_STACK], index) => names[index % names.length]
