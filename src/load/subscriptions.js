import { subStream } from '../kit/random.js'
import { nodesSelected, topicsOf } from './placement.js'

/**
 * subscriptionsOf draws which topics each node subscribes to. Each topic has a sub-stream of its own, so that one more topic
 * changes nothing about the others.
 *
 * @param {{ seed: number, nodes: number, topics: readonly { name: string, chance: number }[],
 *   networkFile?: Parameters<typeof nodesSelected>[1]['networkFile'] & Parameters<typeof topicsOf>[0] }} plan
 * @returns {number[][]} places of topics in the plan, by node
 */
export function subscriptionsOf(plan) {
  const { nodes } = plan
  const subscribed = subscribersOf(plan)
  return Array.from({ length: nodes }, (_, node) =>
    subscribed.flatMap((mine, topic) => (mine[node] ? [topic] : []))
  )
}

/** @param {Parameters<typeof subscriptionsOf>[0]} plan @returns {boolean[][]} by topic and node */
function subscribersOf(plan) {
  const { seed, nodes, topics, networkFile } = plan
  if (networkFile?.topics == null)
    return topics.map(({ name, chance }) => {
      const random = subStream(seed, 'subscriptions', name)
      return Array.from({ length: nodes }, () => random() < chance)
    })
  return topicsOf(networkFile).map(({ name, spec: { subscribers } }) => {
    const selected = nodesSelected(subscribers ?? {}, plan, 'subscribers', name)
    const mine = Array(nodes).fill(false)
    for (const node of selected) mine[node] = true
    return mine
  })
}
