import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * @typedef {import('../result/types.js').Record_} Record_
 *
 * @typedef {(plan: any, options: import('../scenarios/scenario.js').StudyRunOptions) => AsyncIterable<Record_>} RunScenario - `plan`: of any
 *   scenario
 *
 * @typedef {typeof import('../server/serve.js').serve} Serve
 *
 * @typedef {Pick<typeof import('../docker/engine.js'), 'reachEngine'> &
 *   Pick<typeof import('../docker/server-image.js'), 'buildServerImage' | 'tagImage'> &
 *   Pick<typeof import('../docker/tool-image.js'), 'TOOL'>} Docker
 *
 * @typedef {object} Surroundings - what a command touches outside itself
 * @property {import('../report/terminal.js').Stream} stdout
 * @property {import('../report/terminal.js').Stream} stderr
 * @property {Pick<NodeJS.Process, 'on' | 'off' | 'exit'>} process
 * @property {NodeJS.ProcessEnv} env
 * @property {string} version
 * @property {string | null} cacheDir
 * @property {() => Date} now
 * @property {import('../scenarios/index.js').FindScenario} findScenario
 * @property {() => Promise<RunScenario>} loadRun - imports what runs plans, once the options were found right
 * @property {() => Promise<Serve>} loadServe - the same for the server
 * @property {() => Promise<Docker>} loadDocker - the same for what builds images
 */

/** @returns {string} */
function packageVersion() {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version
}

/**
 * Identities take time to make and are kept between runs, where the user's other caches are.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {string | null} null: nowhere
 */
function cacheFolder(env) {
  try {
    return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'libp2p-loadtest')
  } catch {
    // a user whom the system does not know, without HOME
    return null
  }
}

/** @type {import('../scenarios/index.js').FindScenario} */
const findScenario = async name => (await import('../scenarios/index.js')).findScenario(name)

const loadRun = async () => (await import('../scenarios/run-scenario.js')).runScenario(findScenario)

const loadServe = async () => (await import('../server/serve.js')).serve

/** @returns {Promise<Docker>} */
const loadDocker = async () => ({
  ...(await import('../docker/engine.js')),
  ...(await import('../docker/server-image.js')),
  ...(await import('../docker/tool-image.js'))
})

/**
 * realSurroundings are those of this process.
 *
 * @returns {Surroundings}
 */
export function realSurroundings() {
  const { stdout, stderr, env } = process
  const now = () => new Date()
  return {
    stdout,
    stderr,
    process,
    env,
    version: packageVersion(),
    cacheDir: cacheFolder(env),
    now,
    findScenario,
    loadRun,
    loadServe,
    loadDocker
  }
}
