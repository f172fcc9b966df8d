const at = (/** @type {string} */ path) => new URL(`../scenarios/${path}`, import.meta.url)

/** ENTRIES are the programs that an agent starts, by the names that go over the bus: it takes no path from there. */
export const ENTRIES = Object.freeze({
  'rendezvous-clients': at('rendezvous/run/entry.js'),
  'gossip-nodes': at('gossip/run/gossip-entry.js'),
  'transfer-requestor': at('transfer/run/requestor-entry.js')
})

/** OVER_AGENTS are the scenarios whose workers agents hold. A scenario of a user's own is code, and not among them. */
export const OVER_AGENTS = Object.freeze(['rendezvous', 'gossip', 'transfer'])

/** nameOf a program that an agent can start. @param {URL} entry @returns {string} @throws {Error} for what is not meant for agents */
export function nameOf(entry) {
  const found = Object.entries(ENTRIES).find(([, { href }]) => href === entry.href)
  if (found === undefined) throw new Error(`${entry.pathname} runs on this machine only`)
  return found[0]
}
