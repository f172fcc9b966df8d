import { stackNamed } from './stacks.js'

/** @param {readonly string[]} names - of stacks @returns {string[]} */
export const clientPackages = names => names.flatMap(name => stackNamed(name).packages)

/**
 * gossipPackages are those that nodes of a gossip network consist of; clientPackages those of clients and server of the rendezvous
 * scenario.
 *
 * @param {readonly string[]} names - of stacks
 * @returns {string[]}
 */
export const gossipPackages = names =>
  names.flatMap(name => [...stackNamed(name).packages, ...stackNamed(name).gossipPackages])
