/**
 * @typedef {object} RemovedOption - an option of an earlier release
 * @property {string} instead - what to do now
 * @property {string} [planKey] - in the plan of a result of that release; default: its name
 */

/**
 * REMOVED_OPTIONS say what to do instead of options that earlier releases had, by their names.
 *
 * @type {Readonly<Record<string, RemovedOption>>}
 */
export const REMOVED_OPTIONS = Object.freeze({
  formedMesh: { instead: 'rows are run as they come out; --runs 3 shows what chance does to a mesh' },
  latencyRate: { instead: 'a run measures one load: give --rate to see latency at a rate' },
  lowerRate: { instead: 'give --rate that the machine carries: warnings name rows that were too fast' },
  probeRate: {
    planKey: 'probeRatePerSecond',
    instead:
      'there is no second client beside the load; a result says what the load generator added to its own times'
  },
  vary: { instead: 'a matrix file has vary, a list of values for an option: docs/matrix.md' }
})

/**
 * removedFrom are the options in the plan of a stored result that have no effect any more.
 *
 * @param {object} plan
 * @returns {string[]} one line each
 */
export const removedFrom = plan =>
  Object.entries(REMOVED_OPTIONS).flatMap(([name, { instead, planKey = name }]) => {
    const value = /** @type {Record<string, unknown>} */ (plan)[planKey]
    return value == null || value === 0 || value === false ? [] : [`--${name} ${value} is gone: ${instead}`]
  })

/** Of the second phase that rendezvous runs had. */
const REMOVED_FIGURE = /^latency\.((?:[a-z]+\.)?(?:errorRate|avg|min|max|p[\d.]+))$/i

/**
 * removedFigure says what to do instead of a figure that earlier releases had.
 *
 * @param {string} name - that is not known
 * @param {(name: string) => { name: string } | undefined} figureNow - the figure of a name
 * @returns {string | null} null: there was none
 */
export function removedFigure(name, figureNow) {
  const [, of = ''] = REMOVED_FIGURE.exec(name) ?? []
  const now = figureNow(of)
  return now === undefined ? null : `${name} is gone: a run measures one load; use --rate and ${now.name}`
}
