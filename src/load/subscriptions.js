import { subStream } from '../kit/random.js'

/**
 * subscriptionsOf draws which topics each node subscribes to. Each topic has a sub-stream of its own, so that one more topic
 * changes nothing about the others.
 *
 * @param {{ seed: number, nodes: number, topics: readonly { name: string, chance: number }[] }} plan
 * @returns {number[][]} places of topics in the plan, by node
 */
export function subscriptionsOf({ seed, nodes, topics }) {
  const subscribed = topics.map(({ name, chance }) => {
    const random = subStream(seed, 'subscriptions', name)
    return Array.from({ length: nodes }, () => random() < chance)
  })
  return Array.from({ length: nodes }, (_, node) =>
    subscribed.flatMap((mine, topic) => (mine[node] ? [topic] : []))
  )
}
