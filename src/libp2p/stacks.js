// The list of stacks, which are generations of js-libp2p: chooses the stack of each node and finds missing packages.
import { stack as libp2p2 } from './generation-2/libp2p-2.js'
import { stack as libp2p3 } from './generation-3/libp2p-3.js'

/** @typedef {import('./layers/node-parts.js').NamedStack} NamedStack */

const ALL = { 'libp2p-3': libp2p3, 'libp2p-2': libp2p2 }

/**
 * STACKS there are, by name, the latest generation first. No package of a stack is imported before it makes a node.
 *
 * @type {ReadonlyMap<string, NamedStack>}
 */
export const STACKS = new Map(
  Object.entries(ALL).map(([name, stack]) => [name, Object.freeze({ name, ...stack })])
)

/** DEFAULT_STACK is the one with the maintained packages. */
export const DEFAULT_STACK = 'libp2p-3'

/**
 * findStack gives a stack.
 *
 * @param {string} name
 * @returns {NamedStack}
 */
export function findStack(name) {
  const stack = STACKS.get(name)
  if (stack === undefined)
    throw new Error(`there is no stack ${name}: choose from ${[...STACKS.keys()].join(', ')}`)
  return stack
}

/**
 * findServerStack says which stack our server runs on.
 *
 * @param {{ stack?: readonly string[], serverStack?: string | null }} plan
 */
export const findServerStack = ({ stack, serverStack }) => serverStack ?? findStackName(stack, 0)

/**
 * hasSeveralStacks says whether some plans are of other generations of libp2p than others.
 *
 * @param {readonly { stack?: readonly string[], serverStack?: string | null }[]} plans
 */
export const hasSeveralStacks = plans =>
  new Set(
    plans.map(({ stack = [DEFAULT_STACK], serverStack = null }) =>
      [...stack, findServerStack({ stack, serverStack })].join()
    )
  ).size > 1

/**
 * findStackName says which stack a node or client runs on. Several stacks are dealt out by number, so that each has as many.
 *
 * @param {readonly string[] | undefined} names - of a plan; plans of earlier versions have none
 * @param {number} index - of the node or client
 */
export const findStackName = (names = [DEFAULT_STACK], index) => names[index % names.length]

/** INSTALL_COMMAND installs the packages of all stacks. */
const INSTALL_COMMAND = 'npm install --include=optional'

/** @param {string} name */
function isInstalled(name) {
  try {
    import.meta.resolve(name)
    return true
  } catch {
    return false
  }
}

/**
 * listMissingPackages tells which packages of a stack are not installed: all but the default one's are optional.
 *
 * @param {string} name - of the stack
 * @param {(name: string) => boolean} [installed] - whether a package is
 * @returns {string[]}
 */
export function listMissingPackages(name, installed = isInstalled) {
  const { packages, gossipPackages } = findStack(name)
  return [...packages, ...gossipPackages].filter(each => !installed(each))
}

/**
 * describeMissingPackages says that a stack cannot be used, and what to do.
 *
 * @param {string} name - of the stack
 * @param {(name: string) => boolean} [installed] - whether a package is
 * @returns {string | null} null: its packages are there
 */
export function describeMissingPackages(name, installed) {
  const missing = listMissingPackages(name, installed)
  if (missing.length === 0) return null
  return `${name} needs packages that are not installed (${missing.join(', ')}): run ${INSTALL_COMMAND}`
}

/**
 * listClientPackages are those that clients and server of the rendezvous scenario consist of.
 *
 * @param {readonly string[]} [names] - of stacks
 * @returns {string[]}
 */
export const listClientPackages = (names = [DEFAULT_STACK]) => names.flatMap(name => findStack(name).packages)

/**
 * listGossipPackages are those that nodes of a gossip network consist of.
 *
 * @param {readonly string[]} [names] - of stacks
 * @returns {string[]}
 */
export const listGossipPackages = (names = [DEFAULT_STACK]) =>
  names.flatMap(name => [...findStack(name).packages, ...findStack(name).gossipPackages])
