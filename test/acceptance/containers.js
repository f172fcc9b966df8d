import { setTimeout as sleep } from 'node:timers/promises'
import { docker, leftInDockerAfter } from './docker.js'
import { FAST_MESH, startGossip } from './gossip-network.js'

let lastSeed = Math.floor(Math.random() * 1e9)

/** startInContainers starts a run of nodes in containers, with a seed of its own, by which what it makes is found. @param {readonly string[]} args @param {Parameters<typeof startGossip>[1]} [options] */
export function startInContainers(args, options) {
  const seed = ++lastSeed
  const loadtest = startGossip(
    [...FAST_MESH, '--network', 'docker', ...args, '--seed', String(seed)],
    options
  )
  return { seed, loadtest, left: () => leftInDockerAfter(seed, 30_000, 'gossip') }
}

/** containersOf finds the containers of a run, once there are so many that run. @param {number} seed @param {number} count */
export async function containersOf(seed, count) {
  const untilMs = performance.now() + 90_000
  for (;;) {
    if (performance.now() > untilMs) throw new Error(`there were never ${count} containers of seed ${seed}`)
    const all = await docker().listContainers()
    const own = all.filter(({ Names }) => Names[0].includes(`-gossip-${seed}-`))
    if (own.length >= count) return own.map(({ Id }) => docker().getContainer(Id))
    await sleep(50)
  }
}
