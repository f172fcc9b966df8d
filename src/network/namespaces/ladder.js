import { enterCommand } from './namespaces.js'
import { tried } from './requirements.js'

/**
 * @typedef {object} Rung - of the ladder: something that could make the impairments
 * @property {'netem' | 'rules' | 'router'} step
 * @property {string | null} lacks - why it cannot be taken here; null: it could
 * @property {string | null} passedOver - why it is not taken where it could; null: it is
 */

/** What each step above the router takes, as commands that are tried where nobody is. @type {Readonly<Record<'netem' | 'rules', readonly string[]>>} */
const NEEDS = {
  netem: ['tc qdisc replace dev lo root netem delay 1ms loss 1%'],
  rules: [
    // TCP crosses devices in pieces of up to 64 kB, which a rule drops as one: they are to be cut first
    'ip link set lo gso_max_segs 1',
    'nft add table ip loadtest; add chain ip loadtest in { type filter hook input priority 0; }; add rule ip loadtest in numgen random mod 1000 < 10 drop',
    'tc qdisc replace dev lo root tbf rate 10mbit burst 3000 latency 50ms'
  ]
}

/** Reasons are in docs/namespaces.md. */
const PASSED_OVER = {
  netem:
    'partitions, latencies of each link and losses of the seed are the router’s, whose delay it would only be added to',
  rules: 'they have no latency'
}

/** @param {string} command @returns {string[]} a rule of nft is one word */
const wordsOf = command => {
  const [name, ...words] = command.split(' ')
  return name === 'nft' ? [name, words.join(' ')] : [name, ...words]
}

/**
 * ladder tries what could make the impairments here, from the top. The router is at its foot, and what is taken.
 *
 * @param {Pick<import('./namespaces.js').Held, 'pid' | 'descriptors' | 'ofOthers'>} held - it is tried in a namespace of theirs that nobody uses
 * @param {(command: readonly string[]) => string | null} [attempt] - says what went wrong
 * @returns {Rung[]}
 */
export function ladder(held, attempt = tried) {
  const enter = enterCommand(held)
  const above = /** @type {const} */ (['netem', 'rules']).map(step => {
    const failed = NEEDS[step].map(command => attempt([...enter, ...wordsOf(command)]))
    const lacks = failed.find(why => why !== null) ?? null
    return { step, lacks, passedOver: lacks === null ? PASSED_OVER[step] : null }
  })
  return [...above, { step: 'router', lacks: null, passedOver: null }]
}
