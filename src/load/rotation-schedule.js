import { subStream } from '../kit/random.js'

/**
 * @typedef {object} Rotation
 * @property {number} seed
 * @property {number} stable - nodes that stay: they have the first numbers
 * @property {number} ephemeral - nodes that are killed in turn and replaced by new ones
 * @property {number} rotateEveryMs - from one kill to the next
 * @property {number} downForMs - from a kill to the start of the node that takes the place
 * @property {number | null} durationMs
 * @property {number} dials - stable nodes that a node dials when it starts
 *
 * @typedef {object} Life - of an ephemeral node, from its start to its end. Each is a node of its own: it has a number and an identity
 *   that no other one has, and knows nothing of the one whose place it takes
 * @property {number} node
 * @property {number} slot - the node of the beginning whose place it takes
 * @property {number | null} startMs - since publishing began; null: it is there from the beginning
 * @property {number | null} killMs - null: it stays
 * @property {readonly number[]} dials - stable nodes that it dials when it starts; the first lives are dialled by the topology
 */

/**
 * rotationSchedule gives the lives of all ephemeral nodes: every `rotateEveryMs` the next one in turn is killed, and after `downForMs`
 * another one takes its place. Nothing is killed or started once publishing is over.
 *
 * @param {Rotation} plan
 * @returns {Life[]} by node; the first `ephemeral` of them are there from the beginning
 */
export function rotationSchedule({ seed, stable, ephemeral, rotateEveryMs, downForMs, durationMs, dials }) {
  const random = subStream(seed, 'rotation')
  const endMs = Number(durationMs)
  /** @type {Life[]} */
  const lives = Array.from({ length: ephemeral }, (_, place) => ({
    node: stable + place,
    slot: stable + place,
    startMs: null,
    killMs: null,
    dials: []
  }))
  const current = [...lives]
  for (let turn = 1; turn * rotateEveryMs < endMs; turn++) {
    const place = (turn - 1) % ephemeral
    const killMs = turn * rotateEveryMs
    current[place].killMs = killMs
    if (killMs + downForMs >= endMs) continue
    const next = {
      node: stable + lives.length,
      slot: stable + place,
      startMs: killMs + downForMs,
      killMs: null,
      dials: someOf(stable, dials, random)
    }
    current[place] = next
    lives.push(next)
  }
  return lives
}

/**
 * livesAtMost bounds how many lives such a schedule has.
 *
 * @param {Pick<Rotation, 'ephemeral' | 'rotateEveryMs' | 'durationMs'>} plan
 */
export const livesAtMost = ({ ephemeral, rotateEveryMs, durationMs }) =>
  ephemeral + Math.ceil(Number(durationMs) / rotateEveryMs)

/** @param {number} among @param {number} most @param {() => number} random @returns {number[]} ascending */
function someOf(among, most, random) {
  const left = Array.from({ length: among }, (_, node) => node)
  const chosen = Array.from(
    { length: Math.min(most, among) },
    () => left.splice(Math.floor(random() * left.length), 1)[0]
  )
  return chosen.sort((a, b) => a - b)
}
