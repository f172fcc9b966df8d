/**
 * @typedef {import('../result/gossip-types.js').AnyResult} AnyResult
 * @typedef {{ whose: string, name: string, value: unknown }} Setting
 *
 * @typedef {object} Place - of the settings in a result
 * @property {string} path
 * @property {(result: any) => Record<string, unknown>} read
 */

/** @type {Readonly<Record<AnyResult['scenario'], Place>>} */
const PLACES = Object.freeze({
  rendezvous: { path: 'outcome.target.settings', read: ({ outcome }) => outcome.target.settings },
  gossip: { path: 'outcome.network.settings', read: ({ outcome }) => outcome.network.settings }
})

/** @param {unknown} value */
const isGroup = value => value !== null && typeof value === 'object' && !Array.isArray(value)

/**
 * changedSettings are what was set other than the defaults of libraries and specification.
 *
 * @param {AnyResult} result
 * @returns {{ path: string, settings: Setting[] }} `path`: where values and reasons stand in the result
 */
export function changedSettings(result) {
  const { path, read } = PLACES[result.scenario]
  const settings = Object.entries(read(result)).flatMap(([whose, changes]) =>
    isGroup(changes)
      ? Object.entries(/** @type {object} */ (changes)).map(([name, value]) => ({ whose, name, value }))
      : [{ whose: '', name: whose, value: changes }]
  )
  return { path, settings }
}
