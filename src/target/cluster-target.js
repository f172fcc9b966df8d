import { randomBytes } from 'node:crypto'
import { sumOf } from '../kit/collections.js'
import { startRunStore } from './postgres/run-store.js'
import { startProcessTarget } from './process-target.js'
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
  const database = await watched(store, options)
  const stop = async () => {
    await Promise.all(servers.map(server => server.stop()))
      .finally(() => database?.watch.stop())
      .finally(store.stop)
  }
  try {
    while (servers.length < plan.servers) {
      options.signal.throwIfAborted()
      const settings = {
        ...options.settings,
        ...keyOf(options.settings, servers.length),
        store: store.address
      }
      servers.push(await startProcessTarget({ ...options, settings }))
    }
    const told = await servers[0].control?.state()
    return together(servers, store, {
      settings: {
        ...options.settings,
        store: plan.store,
        durability: told?.store?.durability,
        servers: plan.servers
      },
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
 * @param {import('./postgres/run-store.js').RunStore} store
 * @param {Pick<Parameters<typeof startProcessTarget>[0], 'onFailed'>} options
 * @returns {Promise<Target['database'] | null>}
 */
async function watched({ database, left = [] }, { onFailed }) {
  if (database === undefined) return null
  const { DatabaseWatch } = await import('./postgres/run-store.js')
  const { url, whose, lock } = database
  const onGone = () => onFailed(new TargetError('STORE_AWAY', `${whose} went away`))
  const watch = new DatabaseWatch(url, { lock, onGone })
  await watch.look()
  return { whose, left, watch }
}

/** Servers are peers of their own. @param {Record<string, unknown>} settings @param {number} index @returns {Record<string, number>} */
const keyOf = ({ keySeed }, index) => (keySeed === undefined ? {} : { keySeed: Number(keySeed) + index })

/**
 * @param {Target[]} servers
 * @param {import('./postgres/run-store.js').RunStore} store
 * @param {Pick<Target, 'settings' | 'nodeSettings' | 'stop' | 'database'>} rest
 * @returns {Target}
 */
function together(servers, store, rest) {
  const [first] = servers
  const several = servers.length > 1
  const members = servers.map(several ? oneOfSeveral : alone)
  const readings = servers.map(({ reading }) =>
    lasting(/** @type {NonNullable<Target['reading']>} */ (reading))
  )
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
    reading: () => sumOfAll(readings),
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

/** @param {Target} server @returns {Member} */
const alone = ({ multiaddr, control, reading, faults }) => ({
  name: 'server 1',
  multiaddr,
  control,
  reading,
  faults
})

/** That one of several is killed is no failure of the run. @param {Target} server @param {number} index @returns {Member} */
function oneOfSeveral({ multiaddr, control, reading, faults }, index) {
  const handles = /** @type {import('./target.js').FaultHandles} */ (faults)
  let isUp = true
  const down = () => {
    isUp = false
    return handles.down()
  }
  return {
    name: `server ${index + 1}`,
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

/** A process that was started again counts from 0, and one that has ended has no memory. @param {Reader} reading @returns {Reader} */
function lasting(reading) {
  let [ended, last] = [0, 0]
  return async () => {
    const now = await reading().catch(() => ({ atMs: performance.now(), cpuMs: 0, rssBytes: 0 }))
    if (now.cpuMs < last) ended += last
    last = now.cpuMs
    return { ...now, cpuMs: ended + now.cpuMs }
  }
}

/** @param {Reader[]} readers */
async function sumOfAll(readers) {
  const readings = await Promise.all(readers.map(read => read()))
  return {
    atMs: performance.now(),
    cpuMs: sumOf(readings, ({ cpuMs }) => cpuMs),
    rssBytes: sumOf(readings, ({ rssBytes }) => rssBytes)
  }
}
