// The churn schedule: computes when each peer leaves, returns, or is replaced by a new one.
import { computeLogarithm, makeSubStream } from '../kit/random.js'
import { computePublishMs, hasScriptedLeaves, listScriptedAbsences } from './network-script.js'

/**
 * Churn: peers leave and return, or new ones take their places. The schedule follows from the plan alone, so that the process that holds a peer
 * and the one that counts what it receives know the same.
 *
 * @typedef {object} RandomChurn - any peer leaves at random
 * @property {number} share - of the peers present leave within `perMs`, on average
 * @property {number} perMs
 *
 * @typedef {object} GroupChurn - only the ephemeral peers leave; the others are stable
 * @property {number} peers - ephemeral peers: those with the highest numbers
 * @property {number} everyMs - from one departure to the next
 * @property {boolean} atRandom - departures are at random moments, `everyMs` apart on average; else in turn
 *
 * @typedef {object} Return
 * @property {number} awayMs - from leaving to returning
 * @property {true} [asNew] - a new peer, with an identity of its own, takes the place; absent: the same peer returns
 * @property {number} [dials] - of gossip nodes: stable nodes, chosen at random, that a new node dials
 * @property {number} [settleMs] - of gossip nodes: for so long a node that has returned is not expected to receive messages
 *
 * @typedef {(RandomChurn | GroupChurn) & Return} ChurnSpec
 *
 * @typedef {object} Absence - of one peer
 * @property {number} leavesNs - since the start of the measurement
 * @property {number} returnsNs
 *
 * @typedef {object} Life - of an ephemeral peer, from its start to its end. Each is a peer of its own: it has a number and an identity
 *   that no other one has, and knows nothing of the one whose place it takes
 * @property {number} node
 * @property {number} slot - the peer of the beginning whose place it takes
 * @property {number | null} startMs - since the measurement began; null: it is there from the beginning
 * @property {number | null} killMs - null: it stays
 * @property {readonly number[]} dials - nodes that it dials when it starts; the first lives are dialled by the topology
 *
 * @typedef {object} LifeChange - what became of a life; each change tells what is new. Times in ns on the monotonic clock of the host
 * @property {number} node
 * @property {number} [startedNs] - when its start began
 * @property {number} [connectedNs] - when its dials had ended, and not all of them had failed
 * @property {number} [dialsFailed]
 * @property {number} [registeredNs] - of a client: when it was registered everywhere
 * @property {string} [error] - why it could not be started, or why its first dial failed where all of them did
 * @property {number} [killedNs] - when it was killed: its connections were cut without a goodbye
 *
 * @typedef {import('./network-script.js').Scripted & { churn?: ChurnSpec | null } & Parameters<typeof computePublishMs>[0]} ChurnedPlan
 */

/**
 * countStablePeers is how many peers never leave: those with the lowest numbers.
 *
 * @param {Pick<ChurnedPlan, 'nodes' | 'churn'>} plan
 */
export const countStablePeers = ({ nodes, churn }) =>
  churn == null ? nodes : 'peers' in churn ? nodes - churn.peers : 0

/**
 * doNodesLeave says whether nodes of a plan leave while it is measured, by churn or by the script of its network file.
 *
 * @param {Pick<ChurnedPlan, 'churn' | 'networkFile'>} plan
 */
export const doNodesLeave = plan => plan.churn != null || hasScriptedLeaves(plan)

/**
 * makeChurnSchedule gives when each peer leaves and returns. Nobody leaves once the measurement is over, as planned.
 *
 * @param {ChurnedPlan} plan
 * @returns {readonly (readonly Absence[])[]} by peer, in order
 */
export function makeChurnSchedule(plan) {
  const { churn, seed, nodes } = plan
  const endNs = computePublishMs(plan) * 1e6
  const stable = countStablePeers(plan)
  const scripted = listScriptedAbsences(plan)
  return Array.from({ length: nodes }, (_, node) => {
    const script = (scripted.get(node) ?? []).filter(({ leavesNs }) => leavesNs < endNs)
    if (churn == null || node < stable) return joined(script)
    const stayMs = 'peers' in churn ? churn.everyMs * churn.peers : churn.perMs / churn.share
    const own =
      'peers' in churn && !churn.atRandom
        ? absencesInTurn(churn, node - stable)
        : randomAbsences(stayMs, churn.awayMs, makeSubStream(seed, 'churn', node))
    const absences = []
    for (const absence of own) {
      if (absence.leavesNs >= endNs) break
      absences.push(absence)
    }
    return script.length === 0 ? absences : joined([...absences, ...script])
  })
}

/** Who is away already does not leave: absences that touch are one. @param {readonly Absence[]} absences @returns {Absence[]} ascending */
function joined(absences) {
  /** @type {Absence[]} */
  const all = []
  for (const absence of absences.toSorted((a, b) => a.leavesNs - b.leavesNs)) {
    const before = all.at(-1)
    if (before === undefined || absence.leavesNs > before.returnsNs) all.push({ ...absence })
    else before.returnsNs = Math.max(before.returnsNs, absence.returnsNs)
  }
  return all
}

/** Every `everyMs` the next of the group leaves. @param {GroupChurn & Return} churn @param {number} place - in the group @returns {Generator<Absence, void>} */
function* absencesInTurn({ peers, everyMs, awayMs }, place) {
  for (let turn = place + 1; ; turn += peers)
    yield { leavesNs: turn * everyMs * 1e6, returnsNs: (turn * everyMs + awayMs) * 1e6 }
}

/**
 * Its stays are exponentially distributed. Peers have streams of their own: a further peer
 * changes nobody's absences.
 *
 * @param {number} stayMs - mean
 * @param {number} awayMs
 * @param {() => number} random - of the peer, in [0, 1)
 * @returns {Generator<Absence, void>}
 */
function* randomAbsences(stayMs, awayMs, random) {
  const meanStayNs = stayMs * 1e6
  for (let nowNs = 0; ; ) {
    const leavesNs = nowNs + Math.round(meanStayNs * -computeLogarithm(1 - random()))
    nowNs = leavesNs + Math.round(awayMs * 1e6)
    yield { leavesNs, returnsNs: nowNs }
  }
}

/**
 * isAwayAt says whether a peer is away at a time.
 *
 * @param {readonly Absence[]} absences - of the peer
 * @param {number} sinceNs - since the start that they count from
 */
export const isAwayAt = (absences, sinceNs) =>
  absences.some(({ leavesNs, returnsNs }) => sinceNs >= leavesNs && sinceNs < returnsNs)

/**
 * makeLives gives the lives of the ephemeral peers where new peers take the places of those that leave. Nothing is started once the measurement
 * is over.
 *
 * @param {ChurnedPlan} plan
 * @returns {Life[]} by number; the first are there from the beginning
 */
export function makeLives(plan) {
  const { seed, nodes, churn, ...load } = plan
  const endMs = computePublishMs(load)
  const stable = countStablePeers(plan)
  const absences = makeChurnSchedule({ ...plan, networkFile: undefined })
  const leavesMs = (/** @type {number} */ slot, /** @type {number} */ nth) =>
    absences[slot].length > nth ? absences[slot][nth].leavesNs / 1e6 : null
  const first = Array.from({ length: nodes - stable }, (_, place) => ({
    node: stable + place,
    slot: stable + place,
    startMs: null,
    killMs: leavesMs(stable + place, 0),
    dials: []
  }))
  const later = absences
    .flatMap((own, slot) =>
      own.map(({ returnsNs }, nth) => ({ slot, startMs: returnsNs / 1e6, killMs: leavesMs(slot, nth + 1) }))
    )
    .filter(({ startMs }) => startMs < endMs)
    .sort((one, other) => one.startMs - other.startMs)
    .map((life, i) => ({ ...life, node: nodes + i }))
  const all = [...first, ...later]
  const random = makeSubStream(seed, 'rotation')
  return [
    ...first,
    ...later.map(life => {
      const among = stable > 0 ? [...Array(stable).keys()] : present(all, life)
      return { ...life, dials: someOf(among, churn?.dials ?? 0, random) }
    })
  ]
}

/** Who is there when another one starts. @param {readonly Omit<Life, 'dials'>[]} lives @param {{ startMs: number, slot: number }} other */
const present = (lives, { startMs, slot }) =>
  lives
    .filter(life => life.slot !== slot && (life.startMs ?? 0) < startMs)
    .filter(({ killMs }) => killMs === null || killMs > startMs)
    .map(({ node }) => node)

/** @param {number[]} left @param {number} max @param {() => number} random @returns {number[]} ascending */
function someOf(left, max, random) {
  const chosen = Array.from(
    { length: Math.min(max, left.length) },
    () => left.splice(Math.floor(random() * left.length), 1)[0]
  )
  return chosen.sort((a, b) => a - b)
}
