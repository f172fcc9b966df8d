import { hasPassword, readStoreAddress } from '../../../server/store/store-address.js'

/** A store of the run's own, made for it and gone afterwards. */
const OWN = ['memory', 'postgres']

/** @param {unknown} value */
function fits(value) {
  if (OWN.includes(String(value))) return true
  return readStoreAddress(value)?.kind === 'postgres' && !hasPassword(String(value))
}

/**
 * storeKind takes where our servers keep registrations. A plan stands in results, so that no password can be in it.
 *
 * @returns {import('../../../plan/values.js').Kind}
 */
export const storeKind = () => ({
  allowed:
    'must be memory, postgres or postgres://user@host/database without a password, which PGPASSWORD can hold',
  schema: z => z.string().trim().refine(fits)
})

/** isShared says whether several servers can use a store. @param {string} store */
const isShared = store => store !== 'memory'

/** keptElsewhere says whether a plan needs more than one server with its registrations in memory. @param {{ store: string, servers: number }} plan */
export const keptElsewhere = ({ store, servers }) => store !== 'memory' || servers > 1

/** STORE_RULES are the combinations with --store and --servers that cannot be run. @type {readonly import('../../../plan/option.js').Rule[]} */
export const STORE_RULES = [
  {
    flag: 'servers',
    needs: ['store'],
    refuse: ({ servers, store }) =>
      servers > 1 && !isShared(store) && `needs a store that they share, not ${store}: use --store postgres`
  },
  ...['server', 'cpus', 'memory'].map(flag => ({
    flag,
    needs: ['store', 'servers'],
    /** @param {Record<string, any>} values */
    refuse: values =>
      keptElsewhere(/** @type {any} */ (values)) &&
      (flag === 'server' ? values.server === 'docker' : values[flag] !== undefined) &&
      'needs one server that keeps registrations in memory: with --store or --servers ours run in processes'
  }))
]
