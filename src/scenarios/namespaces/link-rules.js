import { processesTooMany } from '../gossip/plan/machine-rule.js'
import { inNamespaces, namespacesNeeded } from '../gossip/plan/namespace-rules.js'

/** @typedef {import('../../plan/option.js').Rule} Rule */

/**
 * linkRules refuse what namespaces cannot do, or cannot do here.
 *
 * @param {readonly string[]} needs - options that say how many there are
 * @param {(values: Record<string, any>) => number} namespacesOf
 * @returns {Rule[]}
 */
export const linkRules = (needs, namespacesOf) => [
  namespacesNeeded('or leave it out: TCP on this host loses nothing'),
  inNamespaces({ flag: 'network', needs, refuse: values => processesTooMany(namespacesOf(values)) })
]
