import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { operation } from './consistent.js'
import { containerOf, leftInDocker, leftInDockerAfter } from './docker.js'
import { start } from './loadtest.js'

/** @typedef {import('./loadtest.js').Loadtest} Loadtest */

/** DOCKER has the server in a container. */
export const DOCKER = Object.freeze(['--server', 'docker'])

/** GONE_WITHIN_MS: however busy the machine is, what is removed and who ends by himself is gone by then. */
export const GONE_WITHIN_MS = 30_000

/** LONG is long enough to be broken at leisure. Its clients think: what breaks is the same, and nothing else is busy. */
export const LONG = [
  ...[...DOCKER, '--duration', '30s', '--benchmarkType', 'DISCOVER', '--warmup', '50ms'],
  ...['--thinkTime', '20ms']
]

let lastSeed = Math.floor(Math.random() * 1e9)

/** nextSeed is one that no other run has. */
export const nextSeed = () => ++lastSeed

/**
 * startWithSeed starts a run with a seed of its own, by which what it makes in Docker is found.
 *
 * @param {readonly string[]} args
 * @param {Parameters<typeof start>[1]} [options]
 */
export function startWithSeed(args, options) {
  const seed = nextSeed()
  return { seed, loadtest: start([...args, '--seed', String(seed)], options) }
}

/** PHASES have what is printed when a phase begins, since the one before has ended. */
export const PHASES = Object.freeze({
  setup: /REGISTER .*· 20 clients/,
  preload: /✔ server ready/,
  connect: /✔ 300 registrations/,
  warmup: /✔ 20 clients connected/,
  measure: /✔ warm-up/
})
const IN_PHASES = [
  ...[...DOCKER, '--nClients', '20', '--initialRegistrations', '300', '--duration', '20s'],
  ...['--warmup', '300ms', '--timeout', '5s']
]

const BEGUN = Object.values(PHASES)

/** assertInterrupted: Ctrl-C in a phase ends a run with exit code 130, and nothing is left. @param {keyof typeof PHASES} phase */
export async function assertInterrupted(phase) {
  const { seed, loadtest } = startWithSeed(IN_PHASES, { ownGroup: true })
  await loadtest.line(PHASES[phase])
  loadtest.ctrlC()
  const { code, stderr, result } = await loadtest.ended
  assert.equal(code, 130, stderr)
  assert.deepEqual(await leftInDocker(seed), [])
  assert.deepEqual(await loadtest.leftAfter(), [])
  assert.equal(result.reason?.code, 'INTERRUPTED')
}

/** A container that does not run yet, or no more, is not broken. @param {{ statusCode?: number }} error - of the engine */
function unlessStopped(error) {
  if (error.statusCode !== 404 && error.statusCode !== 409) throw error
}

/** @type {((loadtest: Loadtest, seed: number) => unknown)[]} */
const WAYS = [
  loadtest => loadtest.ctrlC(),
  loadtest => loadtest.signal('SIGKILL'),
  async loadtest => {
    loadtest.ctrlC()
    await sleep(30)
    loadtest.ctrlC()
  },
  (_, seed) =>
    containerOf(seed).then(
      container => container.kill().catch(unlessStopped),
      () => {}
    ),
  (_, seed) =>
    containerOf(seed).then(
      container => container.pause().catch(unlessStopped),
      () => {}
    )
]

/**
 * breakOne breaks a run: which number it has says in which phase, when and how.
 *
 * @param {number} index
 * @returns {Promise<unknown[]>} what it has left
 */
export async function breakOne(index) {
  const { seed, loadtest } = startWithSeed(IN_PHASES, { ownGroup: true })
  await loadtest.line(BEGUN[index % BEGUN.length])
  await sleep((index * 37) % 700)
  const breakIt = WAYS[Math.floor(index / BEGUN.length) % WAYS.length]
  await breakIt(loadtest, seed)
  // before there was a container to be broken, it goes on
  if (breakIt.length === 2) setTimeout(() => loadtest.ctrlC(), 8000).unref()
  await loadtest.ended
  return [...(await leftInDockerAfter(seed, GONE_WITHIN_MS)), ...(await loadtest.leftAfter())]
}

/**
 * assertBroken holds a run that ended with exit code 1 against what it must have said.
 *
 * @param {import('./loadtest.js').Outcome} ended
 * @param {string} code
 * @param {RegExp} message
 */
export function assertBroken({ code: exitCode, stdout, stderr, result }, code, message) {
  assert.equal(exitCode, 1, stderr)
  assert.deepEqual([result.status, result.reason?.code], ['partial', code], result.reason?.message)
  assert.match(String(result.reason?.message), message)
  assert.match(stdout, /^⚠ Partial result: /m)
  assert.doesNotMatch(stderr, /^ +at /m, 'no stack traces')
}

/**
 * breakInMidMeasure starts a long run and breaks its container once something was measured.
 *
 * @param {readonly string[]} args
 * @param {(container: import('dockerode').Container) => Promise<unknown>} breakIt
 */
export async function breakInMidMeasure(args, breakIt) {
  const { seed, loadtest } = startWithSeed([...LONG, ...args])
  await loadtest.measured()
  await breakIt(await containerOf(seed))
  const ended = await loadtest.ended
  assert.deepEqual(await leftInDocker(seed), [])
  assert.deepEqual(await loadtest.leftAfter(), [])
  assert.ok(operation(ended.result, 'DISCOVER').outcomes.OK > 0, 'what was measured before is kept')
  return ended
}
