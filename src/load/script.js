import { nodesSelected } from './placement.js'
import { publishMsOf } from './publish-length.js'
import { subscriptionsOf } from './subscriptions.js'

/**
 * The script of a network file: which nodes subscribe, leave or are cut off, and when. It follows from the plan alone, so that the process
 * that holds a node and the one that counts what it receives know the same.
 *
 * @typedef {import('../scenarios/gossip/plan/network-file.js').NetworkFile} NetworkFile
 * @typedef {import('./churn.js').Absence} Absence
 * @typedef {import('../network/links/partition-schedule.js').Cut} Cut
 *
 * @typedef {object} SubscriptionChange - of one node
 * @property {number} atMs - since publishing began
 * @property {number} node
 * @property {number} topic - place in the plan
 * @property {boolean} subscribed - from then on
 *
 * @typedef {{ seed: number, nodes: number, networkFile?: Pick<NetworkFile, 'script' | 'topics' | 'classes' | 'zones' | 'placement'> }} Scripted
 * @typedef {Scripted & { topics: readonly { name: string, chance: number }[] } & Parameters<typeof publishMsOf>[0]} ScriptedPlan
 */

/** @param {Pick<Scripted, 'networkFile'>} plan */
const scriptOf = ({ networkFile }) => networkFile?.script ?? []

/** hasLeaves says whether nodes leave by the script of a plan. @param {Pick<Scripted, 'networkFile'>} plan */
export const hasLeaves = plan => scriptOf(plan).some(({ action }) => action === 'leave')

/**
 * scriptSteps gives the steps of a script, each with the nodes it is of.
 *
 * @param {Scripted} plan
 * @param {...import('../scenarios/gossip/plan/network-file.js').ScriptStep['action']} actions - of these; none: of all
 */
export const scriptSteps = (plan, ...actions) =>
  scriptOf(plan).flatMap((step, index) =>
    actions.length === 0 || actions.includes(step.action)
      ? [{ ...step, nodes: nodesSelected(step.who, plan, 'script', index) }]
      : []
  )

/** pairOf numbers a node and one of its topics, which are 8 bits wide. @param {number} node @param {number} topic */
export const pairOf = (node, topic) => node * 256 + topic

/**
 * subscriptionChanges gives when nodes subscribe and unsubscribe. A node does what the last of its steps says that has begun and is not over;
 * without one it does as the topic says. So `for` undoes nothing but its own step: who was subscribed before stays subscribed, and what
 * changes nothing is left out. Nothing changes once the measurement is over, as planned.
 *
 * @param {ScriptedPlan} plan
 * @returns {SubscriptionChange[]} by time, node and topic
 */
export function subscriptionChanges(plan) {
  /** @type {Map<number, { node: number, topic: number, spans: { fromMs: number, toMs: number, subscribed: boolean }[] }>} by pair */
  const pairs = new Map()
  for (const { nodes, action, topic: name, atMs, forMs = Infinity } of scriptSteps(
    plan,
    'subscribe',
    'unsubscribe'
  )) {
    const topic = plan.topics.findIndex(each => each.name === name)
    for (const node of nodes) {
      const pair = pairs.get(pairOf(node, topic)) ?? { node, topic, spans: [] }
      pair.spans.push({ fromMs: atMs, toMs: atMs + forMs, subscribed: action === 'subscribe' })
      pairs.set(pairOf(node, topic), pair)
    }
  }
  if (pairs.size === 0) return []
  const initial = subscriptionsOf(plan)
  const endMs = publishMsOf(plan)
  return [...pairs.values()]
    .flatMap(({ node, topic, spans }) => {
      const before = initial[node].includes(topic)
      const moments = spans.flatMap(({ fromMs, toMs }) => [fromMs, toMs]).filter(ms => ms < endMs)
      return [...new Set(moments)]
        .sort((a, b) => a - b)
        .map(atMs => {
          const step = spans.findLast(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs)
          return { atMs, node, topic, subscribed: step?.subscribed ?? before }
        })
        .filter(({ subscribed }, i, all) => subscribed !== (i === 0 ? before : all[i - 1].subscribed))
    })
    .sort((a, b) => a.atMs - b.atMs || a.node - b.node || a.topic - b.topic)
}

/**
 * unsubscribedSpans gives the times in which nodes are not subscribed to a topic that they are subscribed to at other times.
 *
 * @param {readonly SubscriptionChange[]} changes
 * @returns {Map<number, Absence[]>} by pair; from -Infinity: it subscribes for the first time
 */
export function unsubscribedSpans(changes) {
  /** @type {Map<number, Absence[]>} */
  const spans = new Map()
  for (const { atMs, node, topic, subscribed } of changes) {
    const own = spans.get(pairOf(node, topic)) ?? []
    spans.set(pairOf(node, topic), own)
    const before = own.at(-1)
    if (!subscribed) own.push({ leavesNs: atMs * 1e6, returnsNs: Infinity })
    else if (before === undefined) own.push({ leavesNs: -Infinity, returnsNs: atMs * 1e6 })
    else before.returnsNs = atMs * 1e6
  }
  return spans
}

/**
 * scriptedAbsences gives when nodes are away as the script says.
 *
 * @param {Scripted} plan
 * @returns {Map<number, Absence[]>} by node; until Infinity: it never returns
 */
export function scriptedAbsences(plan) {
  /** @type {Map<number, Absence[]>} */
  const absences = new Map()
  for (const { nodes, atMs, forMs = Infinity } of scriptSteps(plan, 'leave'))
    for (const node of nodes)
      absences.set(node, [
        ...(absences.get(node) ?? []),
        { leavesNs: atMs * 1e6, returnsNs: (atMs + forMs) * 1e6 }
      ])
  return absences
}

/**
 * scriptedCuts gives the partitions of a script: the selected nodes against all others.
 *
 * @param {Scripted} plan
 * @returns {Cut[]}
 */
export const scriptedCuts = plan =>
  scriptSteps(plan, 'partition').flatMap(({ nodes, atMs, forMs = 0 }) =>
    nodes.length === 0 || nodes.length === plan.nodes
      ? []
      : [{ kind: 'hold', fromMs: atMs, toMs: atMs + forMs, between: [rangesOf(nodes), []] }]
  )

/** @param {readonly number[]} nodes - ascending */
function rangesOf(nodes) {
  /** @type {{ first: number, last: number }[]} */
  const ranges = []
  for (const node of nodes) {
    const range = ranges.at(-1)
    if (range?.last === node - 1) range.last = node
    else ranges.push({ first: node, last: node })
  }
  return ranges
}
