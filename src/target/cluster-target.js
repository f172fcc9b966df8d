// Starts several of our rendezvous servers, or one with a database, as the target of a run. All share one PostgreSQL
// database.
import { randomBytes } from 'node:crypto'
import { computeSum } from '../kit/collections.js'
import { startProcessTarget } from './process-target.js'
import { startRunStore } from './run-store.js'
import { RESIDENT_SET, TargetError } from './target.js'

/**
 * @typedef {import('./target.js').Target} Target
 * @typedef {import('./target.js').Member} Member
 */

/**
 * startClusterTarget starts our servers, one or several, over a store of the run.
 *
 * @param {{ store: string, servers: number }} plan
 * @param {Parameters<typeof startProcessTarget>[0]} options
 * @returns {Promise<Target>}
 * @throws {import('./target.js').TargetError} STORE_NOT_STARTED, SERVER_NOT_STARTED
 */
export async function startClusterTarget(plan, options) {
  const store = await startRunStore(plan.store, `loadtest_${randomBytes(6).toString('hex')}`)
  /** @type {Target[]} */
  const servers = []
  const database = await watchDatabase(store, options)
  const stop = async () => {
    await Promise.all(servers.map(server => server.stop()))
      .finally(() => database?.watch.stop())
      .finally(store.stop)
  }
  try {
    const { keySeed } = options.settings
    while (servers.length < plan.servers) {
      options.signal.throwIfAborted()
      // each server is a peer of its own
      const key = keySeed !== undefined && { keySeed: Number(keySeed) + servers.length }
      const settings = { ...options.settings, ...key, store: store.address }
      servers.push(await startProcessTarget({ ...options, settings }))
    }
    const durability = (await servers[0].control?.state())?.store?.durability
    return makeCluster(servers, store, {
      settings: { ...options.settings, store: plan.store, durability, servers: plan.servers },
      nodeSettings: servers[0].nodeSettings,
      stop,
      ...(database && { database })
    })
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * @param {import('./run-store.js').RunStore} store
 * @param {Pick<Parameters<typeof startProcessTarget>[0], 'onFailed'>} options
 * @returns {Promise<Target['database'] | null>}
 */
async function watchDatabase({ database, left = [] }, { onFailed }) {
  if (database === undefined) return null
  const { DatabaseMonitor } = await import('./run-store.js')
  const { url, whose, lock } = database
  const onLost = () => onFailed(new TargetError('STORE_AWAY', `${whose} became unavailable`))
  const watch = new DatabaseMonitor(url, { lock, onLost })
  await watch.look()
  return { whose, left, watch }
}

/**
 * @param {Target[]} servers
 * @param {import('./run-store.js').RunStore} store
 * @param {Pick<Target, 'settings' | 'nodeSettings' | 'stop' | 'database'>} rest
 * @returns {Target}
 */
function makeCluster(servers, store, rest) {
  const [first] = servers
  const several = servers.length > 1
  const members = servers.map((server, i) => makeMember(server, { name: `server ${i + 1}`, several }))
  const readings = servers.map(({ reading }) => makeContinuousReader(/** @type {Reader} */ (reading)))
  return {
    ...rest,
    kind: 'process',
    multiaddr: first.multiaddr,
    get pid() {
      return first.pid
    },
    container: null,
    versions: store.versions ?? {},
    get control() {
      return members.find(({ control }) => control !== null)?.control ?? first.control
    },
    memoryCountedAs: several ? `${RESIDENT_SET} of ${servers.length} servers together` : RESIDENT_SET,
    reading: async () => {
      const all = await Promise.all(readings.map(read => read()))
      const cpuMs = computeSum(all, reading => reading.cpuMs)
      return { atMs: performance.now(), cpuMs, rssBytes: computeSum(all, reading => reading.rssBytes) }
    },
    databaseWork: store.work,
    get profiles() {
      return servers.flatMap(({ profiles = [] }) => profiles)
    },
    faults: first.faults,
    members: [
      ...members,
      { name: 'database', multiaddr: null, control: null, faults: null, reading: store.reading }
    ]
  }
}

/** A killed server of several is no failure of the run. @param {Target} server @param {{ name: string, several: boolean }} how @returns {Member} */
function makeMember({ multiaddr, control, reading, faults }, { name, several }) {
  if (!several) return { name, multiaddr, control, reading, faults }
  const handles = /** @type {import('./target.js').FaultHandles} */ (faults)
  let isUp = true
  const down = () => {
    isUp = false
    return handles.down()
  }
  return {
    name,
    multiaddr,
    get control() {
      return isUp ? control : null
    },
    reading,
    faults: {
      ...handles,
      kill: down,
      down,
      up: async signal => {
        await handles.up(signal)
        isUp = true
      }
    }
  }
}

/** @typedef {NonNullable<Target['reading']>} Reader */

/** Adds up readings over restarts: a new process counts CPU time from 0, and an ended one has no memory. @param {Reader} reading @returns {Reader} */
function makeContinuousReader(reading) {
  let [ended, last] = [0, 0]
  return async () => {
    const now = await reading().catch(() => ({ atMs: performance.now(), cpuMs: 0, rssBytes: 0 }))
    if (now.cpuMs < last) ended += last
    last = now.cpuMs
    return { ...now, cpuMs: ended + now.cpuMs }
  }
}
