/**
 * @template {unknown[]} Given
 * @template Made
 * @typedef {import('../scenarios/scenario.js').Handed<Given, Made>} Handed
 */

/**
 * What the views of runs are handed of a scenario. Only types live here.
 *
 * @typedef {import('../scenarios/scenario.js').Scenario} Scenario
 * @typedef {import('../result/types.js').AnyResult} AnyResult
 * @typedef {import('../kit/table.js').Table} Table
 * @typedef {import('./page/verdict.js').Statement} Statement
 */

/**
 * @template {AnyResult} [R=AnyResult] - of the scenario
 * @typedef {object} ScenarioNotes - lines about a result
 * @property {readonly (readonly [sign: RegExp, meaning: string])[]} signs - in its table
 * @property {Handed<[result: R], string[]>} reading - how its figures are to be read
 * @property {Handed<[result: R], string[]>} failures - what did not come about
 * @property {Handed<[result: R], string[]>} references - what others saw of the same
 * @property {Handed<[result: R], string[]>} [answer] - what it was run for: it comes first at a terminal, after warnings; elsewhere it stands
 *   among the others
 * @property {Handed<[result: R], string[]>} further - figures that have no column in its table
 */

/**
 * @template {AnyResult} [R=AnyResult] - of the scenario
 * @typedef {object} ScenarioWords - how a run is spoken of
 * @property {Readonly<Record<string, Handed<[plan: R['plan']], [running: string, done: string]>>>} phases - what each is called while it goes
 *   on and when it is done
 * @property {Handed<[plan: R['plan']], string>} work - what a plan sends
 * @property {Handed<[plan: R['plan']], string[]>} setting - who sends it, where to
 * @property {string} rateUnit - of what is sent
 * @property {string} measured - whose CPU and memory are watched
 */

/**
 * @typedef {object} Setting - something set other than its default
 * @property {string} whose - options; empty: the name says it
 * @property {string} name
 * @property {unknown} value
 * @property {string | null} why - null: not told
 */

/**
 * @template {AnyResult} [R=AnyResult] - of the scenario
 * @typedef {object} Settings - set other than the defaults of libraries and specification
 * @property {string} path - where they stand in a result
 * @property {Handed<[result: R], Setting[]>} read
 */

/**
 * @template {AnyResult} [R=AnyResult] - of the scenario
 * @typedef {object} ViewFile - a file in the folder of a run that its result determines
 * @property {string} file
 * @property {Handed<[result: R, where: { folder: string, view: View, tables?: readonly string[] }], string | Promise<string>>} render -
 *   `tables`: files of figures that are written too
 * @property {Handed<[result: R], boolean>} [when] - it is only there then
 */

/**
 * @template {AnyResult} [R=AnyResult] - of the scenario
 * @typedef {object} PageParts - what the page of a run has of its scenario
 * @property {Handed<[result: R], string[]>} lead - a result as a person would say it
 * @property {Handed<[result: R], import('./page/answer.js').Answer>} [answer] - what else its first screen says; default: nothing
 * @property {Handed<[result: R], Statement[]>} failures - what did not come about
 * @property {Handed<[result: R], Statement[]>} doubts - figures that carry a mark
 * @property {readonly import('./page/section.js').Section<R>[]} sections - in order
 * @property {Handed<[table: import('../studies/matrix/matrix-folder.js').TableRecord, results: ReadonlyMap<string, R>], import('../kit/plots/theme.js').Plot[]>} matrixPlots
 *   - of the rows of a table of a matrix; none where there is nothing to hold against one another
 * @property {Handed<[tables: readonly import('../studies/matrix/matrix-folder.js').TableRecord[], results: ReadonlyMap<string, R>], import('../kit/plots/theme.js').Plot[]>} [seriesPlots] -
 *   of several tables of a matrix over one another
 */

/**
 * @typedef {{ tables: Table[], notes: string[] }} AllFigures
 */

/**
 * @template {AnyResult} [R=AnyResult] - of the scenario
 * @typedef {object} ScenarioView - how plans and results of a scenario are shown
 * @property {ScenarioWords<R>} words
 * @property {Handed<[result: R], Table>} cells - of its table; without rows when nothing was measured
 * @property {Handed<[result: R], import('./terminal-blocks.js').Block[]>} [blocks] - what a terminal that is too narrow for its table shows
 *   instead; default: each row with its headings
 * @property {Handed<[result: R, content: string], { headings: string[], rows: string[][] }>} fileRows - that are appended to a file that
 *   tables are collected in; `content`: of the file so far
 * @property {Handed<[plan: R['plan'], content: string], string[]>} fileHeadings - of the table that they belong into
 * @property {ScenarioNotes<R>} notes
 * @property {Handed<[result: R], string[]>} parts - of the markdown page, under the notes
 * @property {Readonly<{ what: Handed<[result: R], string>, came: Handed<[result: R], string> }>} inLine - what was run, and what came of it
 * @property {Settings<R>} settings
 * @property {Readonly<{ once: Handed<[result: R], [string, string]>, repeatedly: Handed<[result: R], [string, string]> }>} against - what a run,
 *   or each of many, was held against
 * @property {Handed<[sides: readonly { results: readonly R[] }[]], AllFigures>} beside - all figures of runs of several plans
 * @property {Handed<[result: R], [string, string]>} started - anew for each of many runs
 * @property {readonly ViewFile<R>[]} csv
 * @property {readonly import('./gauge.js').Gauge[]} gauges - that Prometheus is told beside the figures
 * @property {import('./scenario-matrix.js').ScenarioMatrix<R>} matrix
 * @property {() => Promise<PageParts<R>>} page - with it comes what draws its plots
 */

/**
 * @typedef {Readonly<ScenarioView & { scenario: Scenario }>} View
 *
 * @typedef {(of: { scenario: string }) => View} ViewOf - of a plan, a result or the table of a matrix
 */
export {}
