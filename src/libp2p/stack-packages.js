import { DEFAULT_STACK, stackNamed } from './stacks.js'

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
