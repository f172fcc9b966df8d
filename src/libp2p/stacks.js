// The stacks to choose from: generations of js-libp2p.
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
 * differInStack says whether some plans are of other generations of libp2p than others.
 *
 * @param {readonly { stack?: readonly string[], serverStack?: string | null }[]} plans
 */
export const differInStack = plans =>
  new Set(
    plans.map(({ stack = [DEFAULT_STACK], serverStack = null }) =>
      [...stack, serverStackOf({ stack, serverStack })].join()
    )
  ).size > 1

/**
 * stackNameOf says which stack a node or client runs on. Several stacks are dealt out by number, so that each has as many.
 *
 * @param {readonly string[] | undefined} names - of a plan; plans of earlier versions have none
 * @param {number} index - of the node or client
 */
export const stackNameOf = (names = [DEFAULT_STACK], index) => names[index % names.length]

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
 * missingPackages tells which packages of a stack are not installed: all but the default one's are optional.
 *
 * @param {string} name - of the stack
 * @param {(name: string) => boolean} [installed] - whether a package is
 * @returns {string[]}
 */
export function missingPackages(name, installed = isInstalled) {
  const { packages, gossipPackages } = stackNamed(name)
  return [...packages, ...gossipPackages].filter(each => !installed(each))
}

/**
 * notInstalled says that a stack cannot be used, and what to do.
 *
 * @param {string} name - of the stack
 * @param {(name: string) => boolean} [installed] - whether a package is
 * @returns {string | null} null: its packages are there
 */
export function notInstalled(name, installed) {
  const missing = missingPackages(name, installed)
  if (missing.length === 0) return null
  return `${name} needs packages that are not installed (${missing.join(', ')}): run ${INSTALL_COMMAND}`
}

/**
 * clientPackages are those that clients and server of the rendezvous scenario consist of.
 *
 * @param {readonly string[]} [names] - of stacks
 * @returns {string[]}
 */
export const clientPackages = (names = [DEFAULT_STACK]) => names.flatMap(name => stackNamed(name).packages)

/**
 * gossipPackages are those that nodes of a gossip network consist of.
 *
 * @param {readonly string[]} [names] - of stacks
 * @returns {string[]}
 */
export const gossipPackages = (names = [DEFAULT_STACK]) =>
  names.flatMap(name => [...stackNamed(name).packages, ...stackNamed(name).gossipPackages])
