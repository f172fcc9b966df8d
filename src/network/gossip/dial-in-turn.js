/**
 * @typedef {import('../node-host.js').Dial} Dial
 * @typedef {import('../node-host.js').Dialled} Dialled
 */

/**
 * dialInTurn makes the connections of a network: each node dials one peer after the other, and waits for no other node. So it is the same on
 * every network, however its nodes are shared out among processes: who is connected first grafts first.
 *
 * @param {readonly Dial[]} dials - in their order
 * @param {(dial: Dial) => Promise<Dialled>} dial - is called at once for the first one of each node; rejects nothing: what fails is told
 * @returns {Promise<Dialled[]>} by node
 */
export async function dialInTurn(dials, dial) {
  /** @type {Map<number, Dial[]>} */
  const byNode = new Map()
  for (const each of dials) {
    const own = byNode.get(each.from)
    if (own) own.push(each)
    else byNode.set(each.from, [each])
  }
  const dialled = await Promise.all([...byNode.values()].map(own => oneByOne(own, dial)))
  return dialled.flat()
}

/** @param {readonly Dial[]} dials @param {(dial: Dial) => Promise<Dialled>} dial */
async function oneByOne(dials, dial) {
  const dialled = []
  for (const each of dials) dialled.push(await dial(each))
  return dialled
}
