import { defaultStoreBytes } from './default-store-bytes.js'
import { MemoryStore } from './memory-store.js'

/**
 * openStore opens what `--store` names. A database and what talks to it are loaded when they are asked for.
 *
 * @param {import('../options.js').ServerOptions} options
 * @param {Pick<import('pino').Logger, 'info' | 'warn' | 'error'>} log
 * @returns {Promise<import('./registration-store.js').RegistrationStore>}
 * @throws {import('./store-error.js').StoreOpenError}
 */
export async function openStore(options, log) {
  const { storeAddress: store, maxPeerRegistrations, maxRegistrations } = options
  if (store.kind === 'memory') return new MemoryStore({ maxStoreBytes: defaultStoreBytes(), ...options })
  const beganMs = performance.now()
  const { SqlStore } = await import('./sql/sql-store.js')
  const { openPostgres } = await import('./sql/postgres.js')
  const database = await openPostgres(store.url, { connections: options.storeConnections })
  const opened = await SqlStore.open(database, {
    maxPeerRegistrations,
    maxRegistrations,
    onChange: problem =>
      problem === undefined ? log.info('store is back') : log.error({ problem }, 'store is away'),
    onSweepFailed: err => log.error({ err }, 'expired registrations could not be removed')
  })
  const openMs = Math.round(performance.now() - beganMs)
  log.info({ store: store.kind, durability: opened.health().durability, openMs }, 'store open')
  return opened
}
