/**
 * What the outcome of rotating peers of a rendezvous server has beside that of any rendezvous run. Only types live here. A
 * *registration* is of a peer in a namespace; registering again renews it. Times in ms since the measurement began, unless said.
 *
 * @typedef {import('../../result/types.js').Summary} Summary
 *
 * @typedef {object} PeerLife - of an ephemeral peer; null: it did not come to it
 * @property {number} node - its number; each peer that is started has its own, with an identity of its own
 * @property {number} slot - the peer of the beginning whose place it took
 * @property {number | null} startDueMs - null: it was there from the beginning
 * @property {number | null} startedMs - when its start began
 * @property {number | null} connectedMs
 * @property {number | null} registeredMs - when it was registered in every namespace
 * @property {number | null} firstDiscoveryMs - when it was first given the record of another peer that was living
 * @property {number | null} killDueMs - null: it was to stay
 * @property {number | null} killedMs
 * @property {string | null} error - why it could not be started
 *
 * @typedef {object} PeerLives
 * @property {number} started - after the beginning
 * @property {number} killed
 * @property {number} failed - starts that led to no connection
 * @property {number} latestMs - how late a kill or a start was at most
 * @property {PeerLife[]} listed - the first 1,000, by node
 * @property {boolean} listedAll
 *
 * @typedef {object} Visible - of the first registrations of new peers: from the reply to REGISTER to the first reply to a DISCOVER of
 *   another peer that holds the record
 * @property {number} registrations
 * @property {number} seen
 * @property {number} beforeReply - of `seen`: by a reply that came before that to REGISTER, which counts as 0
 * @property {number} killedUnseen - the peer was killed before: known is only that it would have taken longer
 * @property {number} endedUnseen - the run ended before
 * @property {{ all: Summary, known: Summary }} delay - `known`: of those seen
 * @property {string} histogram - of those seen: HDR V2, compressed, base64; µs
 * @property {string | null} censoredHistogram - of how long was waited for the others
 *
 * @typedef {{ count: number, min: number, avg: number, median: number, max: number }} Spread - ms
 *
 * @typedef {object} LeftByDead - registrations that killed peers left
 * @property {number} registrations
 * @property {number} expired - of them, whose time to live was over before the end of the measurement
 * @property {number} unsure - of them, that the kill cut off while they were renewed: nobody knows until when they hold. They are in
 *   no figure below
 * @property {number} unseen - of them, that no reply after the kill held
 * @property {Summary} lastSeenAfterKill - from the kill to the last reply that held it, of those that have expired
 * @property {string} lastSeenHistogram
 * @property {Spread | null} expiryLag - from the end of its time to live (the reply to its last REGISTER and the time it was granted) to
 *   the last reply that held it, of those that have expired: below 0 it was seen last before. null: none
 * @property {number} overdue - that were given to a DISCOVER sent after it: the server held them for too long
 *
 * @typedef {{ records: number, stale: number }} RecordCount - `stale`: of peers that were killed before the reply came
 *
 * @typedef {object} Discovered - what replies to DISCOVER held
 * @property {number} replies
 * @property {RecordCount} withDuplicates - all records of other peers
 * @property {RecordCount} withoutDuplicates - of each discoverer only the first record of a registration
 * @property {{ inOneReply: number, again: number, renewed: number }} duplicates - `inOneReply`: twice in the same reply; `again`: given to
 *   the discoverer before; `renewed`: so too, but the peer has registered again since
 * @property {number} own - records of the discoverer itself, which are in no other figure
 * @property {number} unknown - of peers that are none of this run
 *
 * @typedef {object} RotateRendezvousPoint - of the time line
 * @property {number} atMs
 * @property {number | null} server - registrations on the server, as it counts; null: not known
 * @property {number} living - registrations of living peers, as they know
 * @property {number} dead - registrations of killed ones whose time to live is not over
 * @property {number} replies - to DISCOVER, since the point before; so for the others
 * @property {number} records
 * @property {number} stale
 *
 * @typedef {object} RotateRendezvous
 * @property {PeerLives} lives
 * @property {import('../../measure/lives.js').TimesSinceStart} connect - from the start of a peer to its connection
 * @property {import('../../measure/lives.js').TimesSinceStart} register - from the start of a peer until it was registered in every namespace
 * @property {import('../../measure/lives.js').TimesSinceStart} firstDiscovery - from the start of a peer to the first reply with the record of another peer that was living
 * @property {string} firstDiscoveryHistogram - of those that came to it
 * @property {number | null} operationsPerMinute - REGISTER and DISCOVER with a good reply
 * @property {number} cutOff - operations under way when their peer was killed: they are in no other figure
 * @property {Visible} visible
 * @property {LeftByDead} left
 * @property {Discovered} discovered
 * @property {RotateRendezvousPoint[]} series
 *
 * @typedef {import('../../result/types.js').OperationsOutcome & { rotation: RotateRendezvous | null }} RotateRendezvousOutcome - `rotation`
 *   null: nothing was measured
 * @typedef {Omit<import('../../result/types.js').Result, 'scenario' | 'plan' | 'outcome'> & { scenario: 'rotation-rendezvous',
 *   plan: import('./plan/rotate-rendezvous-plan.js').RotateRendezvousPlan, outcome: RotateRendezvousOutcome }} RotateRendezvousResult
 */

export {}
