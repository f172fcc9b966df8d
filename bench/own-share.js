import { networkRun, REPEATS } from './parts/network-run.js'

const OWN = 'load generator'
const TARGET_PERCENT = 5

/** A network that keeps two cores busy, under the sampler. */
const NETWORK = Object.freeze({
  nodes: 95,
  topology: 'barabasi-albert',
  topics: 1,
  publishers: 'random',
  rate: '5/s',
  messages: 100,
  messageBytes: 1000,
  maxBacklog: '1tb',
  cooldown: '30s'
})

/** @param {number | undefined} share */
const percent = share => (100 * (share ?? 0)).toFixed(1)

/** ownShare is what our own code takes of the busy CPU time of the workers while a gossip run publishes. */
export async function ownShare() {
  const rows = []
  for (let repeat = 1; repeat <= REPEATS; repeat++) {
    const { result } = await networkRun('profile', NETWORK)
    const { profile } = result.outcome
    const own = profile?.hotSpots.categories.find(({ category }) => category === OWN)
    rows.push([
      String(repeat),
      percent(own?.selfShare),
      percent(own?.totalShare),
      percent(profile?.hotSpots.busyShare),
      `≤ ${TARGET_PERCENT}`
    ])
  }
  return {
    title: 'Our own code in the CPU time of the workers, gossip of 95 nodes at 5/s, % of the busy time',
    head: ['Run', 'Self', 'With what it calls', 'Workers busy', 'Target (self)'],
    rows
  }
}
