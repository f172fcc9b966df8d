/**
 * @typedef {import('../result/gossip-types.js').AnyResult} AnyResult
 * @typedef {import('../result/gossip-types.js').GossipResult} GossipResult
 * @typedef {import('../result/types.js').Result} Result
 *
 * @typedef {object} Setting - something set other than its default
 * @property {string} whose - options; empty: the name says it
 * @property {string} name
 * @property {unknown} value
 * @property {string | null} why - null: not told
 *
 * @typedef {object} Place - of the settings in a result
 * @property {string} path
 * @property {(result: any) => Setting[]} read
 */

/** @param {unknown} setting @returns {setting is { value: unknown, why: string }} */
const hasReason = setting =>
  setting !== null && typeof setting === 'object' && 'value' in setting && 'why' in setting

/** @param {string} whose @param {string} name @param {unknown} setting @returns {Setting} */
const settingOf = (whose, name, setting) =>
  hasReason(setting)
    ? { whose, name, value: setting.value, why: setting.why }
    : { whose, name, value: setting, why: null }

/** @param {Result} result @returns {Setting[]} */
const ofTarget = ({ outcome: { target } }) =>
  Object.entries(target.settings).flatMap(([whose, changes]) =>
    Object.entries(/** @type {object} */ (changes)).map(([name, setting]) => settingOf(whose, name, setting))
  )

/** @param {GossipResult} result @returns {Setting[]} */
const ofNodes = ({ outcome: { network } }) =>
  Object.entries(network.settings).map(([name, setting]) => settingOf('', name, setting))

/** @type {Place} */
const OF_TARGET = Object.freeze({ path: 'outcome.target.settings', read: ofTarget })

/** @type {Place} */
const OF_NODES = Object.freeze({ path: 'outcome.network.settings', read: ofNodes })

/** @type {Readonly<Record<AnyResult['scenario'], Place>>} */
const PLACES = Object.freeze({
  rendezvous: OF_TARGET,
  gossip: OF_NODES,
  profile: OF_NODES,
  rotation: OF_NODES,
  'rotation-rendezvous': OF_TARGET
})

/**
 * changedSettings are what was set other than the defaults of libraries and specification.
 *
 * @param {AnyResult} result
 * @returns {{ path: string, settings: Setting[] }} `path`: where values and reasons stand in the result
 */
export function changedSettings(result) {
  const { path, read } = PLACES[result.scenario]
  return { path, settings: read(result) }
}
