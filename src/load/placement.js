import { subStream } from '../kit/random.js'
import { shuffled } from '../kit/shuffled.js'

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
 * shareOut divides a whole number by shares, with the largest remainder (Hare–Niemeyer): each gets its quota rounded down, and what is
 * left goes to the largest fractions, the first of equal ones.
 *
 * @param {number} total
 * @param {readonly number[]} shares - at least 0, not all 0
 * @returns {number[]} that add up to the total
 */
export function shareOut(total, shares) {
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
  const places = shareOut(nodes.length, shares).flatMap((count, place) => Array(count).fill(place))
  const order = shuffled(places, random)
  return nodes.map((node, i) => [node, order[i]])
}

/**
 * placementOf places the nodes of a plan: as its file lists them, else by shares and the seed.
 *
 * @param {{ nodes: number, seed: number, networkFile?: Pick<NetworkFile, 'classes' | 'zones' | 'placement'> | null }} plan
 * @returns {Placement | null} null: the nodes are all alike, and nowhere
 */
export function placementOf({ nodes, seed, networkFile }) {
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
    for (const [node, place] of dealOut(all, shares, subStream(seed, 'classes'))) classOf[node] = place
  }
  if (zones !== null)
    for (const group of new Set(classOf)) {
      const { name = '', zones: own = null } = classes[group] ?? {}
      const mine = all.filter(node => classOf[node] === group)
      const shares = own ?? zones.shares ?? zones.names.map(() => 1)
      for (const [node, place] of dealOut(mine, shares, subStream(seed, 'zones', name))) zoneOf[node] = place
    }
  return { classOf, zoneOf }
}

/**
 * placesOf names the class and the zone of each node of a plan.
 *
 * @param {Parameters<typeof placementOf>[0]} plan
 * @returns {{ class?: string, zone?: string }[]} by node; none: nodes are all alike, and nowhere
 */
export function placesOf(plan) {
  const { classOf, zoneOf } = placementOf(plan) ?? { classOf: [], zoneOf: [] }
  const { classes = [], zones = null } = plan.networkFile ?? {}
  return classOf.map((place, node) => ({ class: classes[place]?.name, zone: zones?.names[zoneOf[node]] }))
}

/**
 * nodesSelected gives the nodes that a selector means.
 *
 * @param {Selector} selector
 * @param {Parameters<typeof placementOf>[0]} plan
 * @param {...(string | number)} name - of what they are selected for: each draws by a sub-stream of its own
 * @returns {number[]} ascending
 */
export function nodesSelected(selector, plan, ...name) {
  const { nodes = null, class: ofClass, zone, share = 1, count } = selector
  const { classes = [], zones = null } = plan.networkFile ?? {}
  // who is where takes all nodes: a step of a script that names its nodes need not ask
  const placement = ofClass === undefined && zone === undefined ? null : placementOf(plan)
  const inClass = classes.findIndex(each => each.name === ofClass)
  const inZone = zones?.names.indexOf(zone ?? '') ?? -1
  const meant = (nodes ?? Array.from({ length: plan.nodes }, (_, node) => node)).filter(
    node =>
      (ofClass === undefined || placement?.classOf[node] === inClass) &&
      (zone === undefined || placement?.zoneOf[node] === inZone)
  )
  const wanted = count ?? shareOut(meant.length, [share, 1 - share])[0]
  if (wanted >= meant.length) return meant
  return shuffled(meant, subStream(plan.seed, 'selection', ...name))
    .slice(0, wanted)
    .sort((a, b) => a - b)
}

/**
 * topicsOf gives each topic of a network file by itself, in the order of the file: the places of topics in a plan.
 *
 * @param {Pick<NetworkFile, 'topics'>} file
 * @returns {{ name: string, spec: import('../scenarios/gossip/plan/network-file.js').TopicSpec }[]}
 */
export const topicsOf = ({ topics }) =>
  (topics ?? []).flatMap(spec =>
    spec.count === 1
      ? [{ name: spec.name, spec }]
      : Array.from({ length: spec.count }, (_, i) => ({ name: `${spec.name}.${i}`, spec }))
  )

/**
 * dialable turns the edges of a topology so that nobody dials who accepts no connections. An edge between two such nodes goes from the first
 * of them to another node instead, drawn by the seed from those that it is not joined to.
 *
 * @param {readonly [number, number][]} edges - dialler and listener
 * @param {Parameters<typeof placementOf>[0]} plan
 * @returns {[number, number][]}
 */
export function dialable(edges, plan) {
  const { networkFile, nodes, seed } = plan
  const placement = placementOf(plan)
  const accepts = Array.from({ length: nodes }, (_, node) => {
    const place = placement?.classOf[node] ?? -1
    return networkFile?.classes[place]?.dial !== 'outbound'
  })
  if (accepts.every(each => each)) return [...edges]
  const joined = new Set(edges.flatMap(([from, to]) => [from * nodes + to, to * nodes + from]))
  const accepting = [...accepts.keys()].filter(node => accepts[node])
  const random = subStream(seed, 'dials')
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
