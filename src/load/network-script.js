// Expands a network file: places nodes in classes and zones, draws subscriptions, and schedules leaves, partitions and
// subscription changes.
import { makeSubStream, shuffle } from '../kit/random.js'

/**
 * Who of a network is of which class, and in which zone, as its network file says.
 *
 * @typedef {import('../scenarios/gossip/plan/network-file.js').NetworkFile} NetworkFile
 *
 * @typedef {object} Placement - by number of the node; -1: the file has no classes, or no zones
 * @property {readonly number[]} classOf - place in `networkFile.classes`
 * @property {readonly number[]} zoneOf - place in `networkFile.zones.names`
 *
 * @typedef {object} Selector - some nodes of a network; what is left out selects all
 * @property {readonly number[]} [nodes]
 * @property {string} [class]
 * @property {string} [zone]
 * @property {number} [share] - of those that the others select, above 0 to 1; drawn by the seed
 * @property {number} [count] - so many of them, drawn by the seed; fewer where there are fewer
 */

/**
 * divideByShares divides a whole number by shares, with the largest remainder (Hare–Niemeyer): each gets its quota rounded down, and what is
 * left goes to the largest fractions, the first of equal ones.
 *
 * @param {number} total
 * @param {readonly number[]} shares - at least 0, not all 0
 * @returns {number[]} that add up to the total
 */
export function divideByShares(total, shares) {
  const sum = shares.reduce((all, share) => all + share, 0)
  const quotas = shares.map(share => (total * share) / sum)
  const parts = quotas.map(quota => Math.floor(quota + 1e-9))
  const left = total - parts.reduce((all, part) => all + part, 0)
  const byFraction = quotas
    .map((quota, place) => ({ place, fraction: quota - parts[place] }))
    .sort((a, b) => b.fraction - a.fraction || a.place - b.place)
  for (const { place } of byFraction.slice(0, left)) parts[place]++
  return parts
}

/** @param {readonly number[]} nodes @param {readonly number[]} shares @param {() => number} random @returns {[node: number, place: number][]} */
function dealOut(nodes, shares, random) {
  const places = divideByShares(nodes.length, shares).flatMap((count, place) => Array(count).fill(place))
  const order = shuffle(places, random)
  return nodes.map((node, i) => [node, order[i]])
}

/**
 * placeNodes places the nodes of a plan: as its file lists them, else by shares and the seed.
 *
 * @param {{ nodes: number, seed: number, networkFile?: Pick<NetworkFile, 'classes' | 'zones' | 'placement'> | null }} plan
 * @returns {Placement | null} null: the nodes are all alike, and nowhere
 */
export function placeNodes({ nodes, seed, networkFile }) {
  const { classes = [], zones = null, placement = null } = networkFile ?? {}
  if (classes.length === 0 && zones === null) return null
  if (placement !== null)
    return {
      classOf: placement.map(({ class: name }) => classes.findIndex(each => each.name === name)),
      zoneOf: placement.map(({ zone }) => zones?.names.indexOf(zone ?? '') ?? -1)
    }
  const all = Array.from({ length: nodes }, (_, node) => node)
  const classOf = Array(nodes).fill(-1)
  const zoneOf = Array(nodes).fill(-1)
  if (classes.length > 0) {
    const shares = classes.map(({ share }) => share)
    for (const [node, place] of dealOut(all, shares, makeSubStream(seed, 'classes'))) classOf[node] = place
  }
  if (zones !== null)
    for (const group of new Set(classOf)) {
      const { name = '', zones: own = null } = classes[group] ?? {}
      const mine = all.filter(node => classOf[node] === group)
      const shares = own ?? zones.shares ?? zones.names.map(() => 1)
      for (const [node, place] of dealOut(mine, shares, makeSubStream(seed, 'zones', name)))
        zoneOf[node] = place
    }
  return { classOf, zoneOf }
}

/**
 * namePlaces names the class and the zone of each node of a plan.
 *
 * @param {Parameters<typeof placeNodes>[0]} plan
 * @returns {{ class?: string, zone?: string }[]} by node; none: nodes are all alike, and nowhere
 */
export function namePlaces(plan) {
  const { classOf, zoneOf } = placeNodes(plan) ?? { classOf: [], zoneOf: [] }
  const { classes = [], zones = null } = plan.networkFile ?? {}
  return classOf.map((place, node) => ({ class: classes[place]?.name, zone: zones?.names[zoneOf[node]] }))
}

/**
 * selectNodes gives the nodes that a selector means.
 *
 * @param {Selector} selector
 * @param {Parameters<typeof placeNodes>[0]} plan
 * @param {...(string | number)} name - of what they are selected for: each draws by a sub-stream of its own
 * @returns {number[]} ascending
 */
export function selectNodes(selector, plan, ...name) {
  const { nodes = null, class: ofClass, zone, share = 1, count } = selector
  const { classes = [], zones = null } = plan.networkFile ?? {}
  // who is where takes all nodes: a step of a script that names its nodes need not ask
  const placement = ofClass === undefined && zone === undefined ? null : placeNodes(plan)
  const inClass = classes.findIndex(each => each.name === ofClass)
  const inZone = zones?.names.indexOf(zone ?? '') ?? -1
  const meant = (nodes ?? Array.from({ length: plan.nodes }, (_, node) => node)).filter(
    node =>
      (ofClass === undefined || placement?.classOf[node] === inClass) &&
      (zone === undefined || placement?.zoneOf[node] === inZone)
  )
  const wanted = count ?? divideByShares(meant.length, [share, 1 - share])[0]
  if (wanted >= meant.length) return meant
  return shuffle(meant, makeSubStream(plan.seed, 'selection', ...name))
    .slice(0, wanted)
    .sort((a, b) => a - b)
}

/**
 * expandTopics gives each topic of a network file by itself, in the order of the file: the places of topics in a plan.
 *
 * @param {Pick<NetworkFile, 'topics'>} file
 * @returns {{ name: string, spec: import('../scenarios/gossip/plan/network-file.js').TopicSpec }[]}
 */
export const expandTopics = ({ topics }) =>
  (topics ?? []).flatMap(spec =>
    spec.count === 1
      ? [{ name: spec.name, spec }]
      : Array.from({ length: spec.count }, (_, i) => ({ name: `${spec.name}.${i}`, spec }))
  )

/**
 * turnEdgesToDialable turns the edges of a topology so that nobody dials who accepts no connections. An edge between two such nodes goes from the first
 * of them to another node instead, drawn by the seed from those that it is not joined to.
 *
 * @param {readonly [number, number][]} edges - dialler and listener
 * @param {Parameters<typeof placeNodes>[0]} plan
 * @returns {[number, number][]}
 */
export function turnEdgesToDialable(edges, plan) {
  const { networkFile, nodes, seed } = plan
  const placement = placeNodes(plan)
  const accepts = Array.from({ length: nodes }, (_, node) => {
    const place = placement?.classOf[node] ?? -1
    return networkFile?.classes[place]?.dial !== 'outbound'
  })
  if (accepts.every(each => each)) return [...edges]
  const joined = new Set(edges.flatMap(([from, to]) => [from * nodes + to, to * nodes + from]))
  const accepting = [...accepts.keys()].filter(node => accepts[node])
  const random = makeSubStream(seed, 'dials')
  return edges.flatMap(([from, to]) => {
    if (accepts[to]) return [/** @type {[number, number]} */ ([from, to])]
    if (accepts[from]) return [/** @type {[number, number]} */ ([to, from])]
    const free = accepting.filter(node => !joined.has(from * nodes + node))
    if (free.length === 0) return []
    const instead = free[Math.floor(random() * free.length)]
    joined.add(from * nodes + instead).add(instead * nodes + from)
    return [/** @type {[number, number]} */ ([from, instead])]
  })
}

/**
 * drawSubscriptions draws which topics each node subscribes to. Each topic has a sub-stream of its own, so that one more topic
 * changes nothing about the others.
 *
 * @param {{ seed: number, nodes: number, topics: readonly { name: string, chance: number }[],
 *   networkFile?: Parameters<typeof selectNodes>[1]['networkFile'] & Parameters<typeof expandTopics>[0] }} plan
 * @returns {number[][]} places of topics in the plan, by node
 */
export function drawSubscriptions(plan) {
  const { nodes } = plan
  const subscribed = subscribersOf(plan)
  return Array.from({ length: nodes }, (_, node) =>
    subscribed.flatMap((mine, topic) => (mine[node] ? [topic] : []))
  )
}

/** @param {Parameters<typeof drawSubscriptions>[0]} plan @returns {boolean[][]} by topic and node */
function subscribersOf(plan) {
  const { seed, nodes, topics, networkFile } = plan
  if (networkFile?.topics == null)
    return topics.map(({ name, chance }) => {
      const random = makeSubStream(seed, 'subscriptions', name)
      return Array.from({ length: nodes }, () => random() < chance)
    })
  return expandTopics(networkFile).map(({ name, spec: { subscribers } }) => {
    const selected = selectNodes(subscribers ?? {}, plan, 'subscribers', name)
    const mine = Array(nodes).fill(false)
    for (const node of selected) mine[node] = true
    return mine
  })
}

/**
 * The script of a network file: which nodes subscribe, leave or are cut off, and when. It follows from the plan alone, so that the process
 * that holds a node and the one that counts what it receives know the same.
 *
 * @typedef {import('./churn.js').Absence} Absence
 * @typedef {import('../network/link-properties.js').Cut} Cut
 *
 * @typedef {object} SubscriptionChange - of one node
 * @property {number} atMs - since publishing began
 * @property {number} node
 * @property {number} topic - place in the plan
 * @property {boolean} subscribed - from then on
 *
 * @typedef {{ seed: number, nodes: number, networkFile?: Pick<NetworkFile, 'script' | 'topics' | 'classes' | 'zones' | 'placement'> }} Scripted
 * @typedef {Scripted & { topics: readonly { name: string, chance: number }[] } & Parameters<typeof computePublishMs>[0]} ScriptedPlan
 */

/** @param {Pick<Scripted, 'networkFile'>} plan */
const scriptOf = ({ networkFile }) => networkFile?.script ?? []

/** hasScriptedLeaves says whether nodes leave by the script of a plan. @param {Pick<Scripted, 'networkFile'>} plan */
export const hasScriptedLeaves = plan => scriptOf(plan).some(({ action }) => action === 'leave')

/**
 * listScriptSteps gives the steps of a script, each with the nodes it is of.
 *
 * @param {Scripted} plan
 * @param {...import('../scenarios/gossip/plan/network-file.js').ScriptStep['action']} actions - of these; none: of all
 */
export const listScriptSteps = (plan, ...actions) =>
  scriptOf(plan).flatMap((step, index) =>
    actions.length === 0 || actions.includes(step.action)
      ? [{ ...step, nodes: selectNodes(step.who, plan, 'script', index) }]
      : []
  )

/** numberPair numbers a node and one of its topics, which are 8 bits wide. @param {number} node @param {number} topic */
export const numberPair = (node, topic) => node * 256 + topic

/**
 * listSubscriptionChanges gives when nodes subscribe and unsubscribe. A node does what the last of its steps says that has begun and is not over;
 * without one it does as the topic says. So `for` undoes nothing but its own step: who was subscribed before stays subscribed, and what
 * changes nothing is left out. Nothing changes once the measurement is over, as planned.
 *
 * @param {ScriptedPlan} plan
 * @returns {SubscriptionChange[]} by time, node and topic
 */
export function listSubscriptionChanges(plan) {
  /** @type {Map<number, { node: number, topic: number, spans: { fromMs: number, toMs: number, subscribed: boolean }[] }>} by pair */
  const pairs = new Map()
  for (const { nodes, action, topic: name, atMs, forMs = Infinity } of listScriptSteps(
    plan,
    'subscribe',
    'unsubscribe'
  )) {
    const topic = plan.topics.findIndex(each => each.name === name)
    for (const node of nodes) {
      const pair = pairs.get(numberPair(node, topic)) ?? { node, topic, spans: [] }
      pair.spans.push({ fromMs: atMs, toMs: atMs + forMs, subscribed: action === 'subscribe' })
      pairs.set(numberPair(node, topic), pair)
    }
  }
  if (pairs.size === 0) return []
  const initial = drawSubscriptions(plan)
  const endMs = computePublishMs(plan)
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
 * findUnsubscribedSpans gives the times in which nodes are not subscribed to a topic that they are subscribed to at other times.
 *
 * @param {readonly SubscriptionChange[]} changes
 * @returns {Map<number, Absence[]>} by pair; from -Infinity: it subscribes for the first time
 */
export function findUnsubscribedSpans(changes) {
  /** @type {Map<number, Absence[]>} */
  const spans = new Map()
  for (const { atMs, node, topic, subscribed } of changes) {
    const own = spans.get(numberPair(node, topic)) ?? []
    spans.set(numberPair(node, topic), own)
    const before = own.at(-1)
    if (!subscribed) own.push({ leavesNs: atMs * 1e6, returnsNs: Infinity })
    else if (before === undefined) own.push({ leavesNs: -Infinity, returnsNs: atMs * 1e6 })
    else before.returnsNs = atMs * 1e6
  }
  return spans
}

/**
 * listScriptedAbsences gives when nodes are away as the script says.
 *
 * @param {Scripted} plan
 * @returns {Map<number, Absence[]>} by node; until Infinity: it never returns
 */
export function listScriptedAbsences(plan) {
  /** @type {Map<number, Absence[]>} */
  const absences = new Map()
  for (const { nodes, atMs, forMs = Infinity } of listScriptSteps(plan, 'leave'))
    for (const node of nodes)
      absences.set(node, [
        ...(absences.get(node) ?? []),
        { leavesNs: atMs * 1e6, returnsNs: (atMs + forMs) * 1e6 }
      ])
  return absences
}

/**
 * listScriptedCuts gives the partitions of a script: the selected nodes against all others.
 *
 * @param {Scripted} plan
 * @returns {Cut[]}
 */
export const listScriptedCuts = plan =>
  listScriptSteps(plan, 'partition').flatMap(({ nodes, atMs, forMs = 0 }) =>
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

/**
 * computePublishMs is how long a plan publishes for, as planned: of messages by number what they take at their rate.
 *
 * @param {object} load
 * @param {number | null | undefined} load.durationMs
 * @param {number | null | undefined} load.messages
 * @param {number | null | undefined} load.ratePerSecond
 * @returns {number} ms; Infinity: without an end
 */
export function computePublishMs({ durationMs, messages, ratePerSecond }) {
  if (durationMs != null) return durationMs
  if (messages == null || ratePerSecond == null) return Infinity
  return (messages * 1000) / ratePerSecond
}
