/**
 * What the outcome of a network whose nodes rotate has beside that of any gossip network. Only types live here. The deliveries of the
 * outcome are those that were expected, and come of nodes that had settled.
 *
 * @typedef {import('../../result/types.js').Summary} Summary
 *
 * @typedef {object} LifeResult - of an ephemeral node; times in ms since publishing began, null: it did not come to it
 * @property {number} node - its number; each node that is started has its own, with an identity of its own
 * @property {number} slot - the node of the beginning whose place it took
 * @property {number | null} startDueMs - null: it was there from the beginning
 * @property {number | null} startedMs - when its start began
 * @property {number | null} connectedMs - when all its dials had ended, at least one of them well
 * @property {number | null} firstDeliveryMs
 * @property {number | null} killDueMs - null: it was to stay
 * @property {number | null} killedMs
 * @property {number} dialsFailed
 * @property {string | null} error - why it could not be started
 *
 * @typedef {object} Lives
 * @property {number} started - after the beginning
 * @property {number} killed
 * @property {number} failed - starts that led to no connection
 * @property {number} latestMs - how late a kill or a start was at most
 * @property {LifeResult[]} listed - the first 1,000, by node
 * @property {boolean} listedAll
 *
 * @typedef {{ expected: number, delivered: number }} ApartCount
 *
 * @typedef {object} Apart - what nodes received that were not expected to; `expected`: messages × nodes in this state
 * @property {ApartCount} joining - published less than settleMs after their start
 * @property {ApartCount} leaving - published less than 1 s before they were killed
 * @property {{ delivered: number }} earlier - published before they were started: they asked for it (IHAVE, IWANT)
 * @property {{ delivered: number }} gone - published after they were to be killed, which came late
 *
 * @typedef {object} Duplicates - receipts of a message in a place (stable or ephemeral) of the network that had received it already
 * @property {number} observations - receipts in all
 * @property {number} afterRestart - second ones, by a node that took the place of the one that had received it
 * @property {number} again - by the same node: it had forgotten that it has seen it (gossipsub's seenTTL)
 * @property {number} tooLongAgo - receipts of messages so old that nobody can tell; they are in no other figure
 * @property {{ withDuplicates: Summary, withoutDuplicates: Summary }} latency - from publish call to receipt
 *
 * @typedef {{ nodes: number, min: number, avg: number, max: number }} PeerSpread - peers of the nodes that were up
 * @typedef {{ atMs: number, stable: PeerSpread | null, ephemeral: PeerSpread | null }} PeerPoint - null: none was up
 *
 * @typedef {object} RotateGossip
 * @property {Lives} lives
 * @property {import('../../measure/lives.js').TimesSinceStart} connect - from the start of a node to the end of its dials
 * @property {import('../../measure/lives.js').TimesSinceStart} firstDelivery - from the start of a node to the first message it received
 * @property {string} firstDeliveryHistogram - of those that came to it: HDR V2, compressed, base64; µs
 * @property {number | null} deliveriesPerMinute - expected ones, while messages were published
 * @property {Apart} apart
 * @property {Duplicates} duplicates
 * @property {PeerPoint[]} peers - over time
 *
 * @typedef {import('../gossip/gossip-types.js').GossipOutcome & { rotation: RotateGossip | null }} RotateGossipOutcome - `rotation` null:
 *   nothing was published
 * @typedef {Omit<import('../../result/types.js').Result, 'scenario' | 'plan' | 'outcome'> & { scenario: 'rotation',
 *   plan: import('./plan/rotate-gossip-options.js').RotateGossipPlan, outcome: RotateGossipOutcome }} RotateGossipResult
 */

export {}
