import { randomBytes } from 'node:crypto'
import { sumOf } from '../kit/lists.js'
import { RESIDENT_SET } from './process-reading.js'
import { startProcessTarget } from './process-target.js'
import { startRunStore } from './run-store.js'

/** @typedef {import('./target.js').Target} Target */

/**
 * startClusterTarget starts our servers, one or several, over a store of the run.
 *
 * @param {{ store: string, servers: number }} plan
 * @param {Parameters<typeof startProcessTarget>[0]} options
 * @returns {Promise<Target>}
 * @throws {import('./target-error.js').TargetError} STORE_NOT_STARTED, SERVER_NOT_STARTED
 */
export async function startClusterTarget(plan, options) {
  const store = await startRunStore(plan.store, `loadtest_${randomBytes(6).toString('hex')}`)
  /** @type {Target[]} */
  const servers = []
  const stop = async () => {
    await Promise.all(servers.map(server => server.stop())).finally(store.stop)
  }
  try {
    const settings = { ...options.settings, store: store.address }
    while (servers.length < plan.servers) {
      options.signal.throwIfAborted()
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
      stop
    })
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * @param {Target[]} servers
 * @param {import('./run-store.js').RunStore} store
 * @param {Pick<Target, 'settings' | 'stop'>} rest
 * @returns {Target}
 */
function together(servers, store, rest) {
  const [first] = servers
  const several = servers.length > 1
  return {
    ...rest,
    kind: 'process',
    multiaddr: first.multiaddr,
    get pid() {
      return first.pid
    },
    container: null,
    versions: {},
    control: first.control,
    memoryCountedAs: several ? `${RESIDENT_SET} of ${servers.length} servers together` : RESIDENT_SET,
    reading: () => readingOf(servers),
    faults: several ? null : first.faults,
    members: [
      ...servers.map(({ multiaddr, control, reading }, i) => ({
        name: `server ${i + 1}`,
        multiaddr,
        control,
        reading
      })),
      { name: 'database', multiaddr: null, control: null, reading: store.reading }
    ]
  }
}

/** @param {Target[]} servers */
async function readingOf(servers) {
  const readings = await Promise.all(
    servers.map(({ reading }) => /** @type {NonNullable<Target['reading']>} */ (reading)())
  )
  return {
    atMs: performance.now(),
    cpuMs: sumOf(readings, ({ cpuMs }) => cpuMs),
    rssBytes: sumOf(readings, ({ rssBytes }) => rssBytes)
  }
}
