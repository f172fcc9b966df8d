/**
 * Parts of the page of a run. Only types live here.
 *
 * @typedef {import('../../kit/html.js').Html} Html
 *
 * @typedef {object} SectionTools
 * @property {import('../../kit/plots/drawer.js').Draw} draw
 * @property {string | undefined} folder - of the run
 * @property {import('../view.js').View} view
 */

/**
 * @template {import('../../result/types.js').AnyResult} [R=import('../../result/types.js').AnyResult] - of the scenario
 * @typedef {object} Section - of the page of a run
 * @property {string} id
 * @property {string} title
 * @property {import('../../scenarios/scenario.js').Handed<[result: R, tools: SectionTools], Html | null | Promise<Html | null>>} body - null:
 *   there is nothing to show, and no heading is
 */
export {}
