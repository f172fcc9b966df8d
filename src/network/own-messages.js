import { subStream } from '../kit/random.js'

/**
 * ownMessagesOf gives what a node that publishes in its own time draws for each of its messages. Each concern has a sub-stream of
 * its own, so that a node publishes the same whatever carries it.
 *
 * @param {Pick<import('../scenarios/gossip/plan/gossip-plan.js').GossipPlan, 'seed' | 'intervalMs' | 'messageBytes'>} plan
 * @param {readonly number[]} topics - it subscribes to, at least one
 * @param {number} node
 * @returns {{ intervalNs: () => number, topic: () => number, bytes: () => number }} each the next draw
 */
export function ownMessagesOf({ seed, intervalMs, messageBytes }, topics, node) {
  const interval = subStream(seed, 'intervals', node)
  const topic = subStream(seed, 'topics', node)
  const size = subStream(seed, 'sizes', node)
  return {
    intervalNs: () => (intervalMs.min + interval() * (intervalMs.max - intervalMs.min)) * 1e6,
    topic: () => topics[Math.floor(topic() * topics.length)],
    bytes: () => messageBytes.min + Math.floor(size() * (messageBytes.max - messageBytes.min + 1))
  }
}
