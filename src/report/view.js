/**
 * What the views of runs are handed of a scenario. Only types live here.
 *
 * @typedef {import('../scenarios/scenario.js').Scenario} Scenario
 * @typedef {import('../kit/table.js').Table} Table
 * @typedef {import('./page/verdict.js').Statement} Statement
 *
 * @typedef {object} ScenarioNotes - lines about a result
 * @property {readonly (readonly [sign: RegExp, meaning: string])[]} signs - in its table
 * @property {(result: any) => string[]} reading - how its figures are to be read
 * @property {(result: any) => string[]} failures - what did not come about
 * @property {(result: any) => string[]} references - what others saw of the same
 * @property {(result: any) => string[]} further - figures that have no column in its table
 *
 * @typedef {object} ScenarioWords - how a run is spoken of
 * @property {Readonly<Record<string, (plan: any) => [running: string, done: string]>>} phases - what each is called while it goes
 *   on and when it is done
 * @property {(plan: any) => string} work - what a plan sends
 * @property {(plan: any) => string[]} setting - who sends it, where to
 * @property {string} rateUnit - of what is sent
 * @property {string} measured - whose CPU and memory are watched
 *
 * @typedef {object} Setting - something set other than its default
 * @property {string} whose - options; empty: the name says it
 * @property {string} name
 * @property {unknown} value
 * @property {string | null} why - null: not told
 *
 * @typedef {object} Settings - set other than the defaults of libraries and specification
 * @property {string} path - where they stand in a result
 * @property {(result: any) => Setting[]} read
 *
 * @typedef {object} ViewFile - a file in the folder of a run that its result determines
 * @property {string} file
 * @property {(result: any, where: { folder: string, view: View }) => string | Promise<string>} render
 * @property {(result: any) => boolean} [when] - it is only there then
 *
 * @typedef {object} PageParts - what the page of a run has of its scenario
 * @property {(result: any) => string[]} lead - a result as a person would say it
 * @property {(result: any) => Statement[]} failures - what did not come about
 * @property {(result: any) => Statement[]} doubts - figures that carry a mark
 * @property {readonly import('./page/section.js').Section[]} sections - in order
 * @property {(table: import('../studies/matrix/matrix-folder.js').TableRecord, results: ReadonlyMap<string, any>) => import('../kit/plots/theme.js').Plot[]} matrixPlots
 *   - of the rows of a table of a matrix; none where there is nothing to hold against one another
 *
 * @typedef {{ tables: Table[], notes: string[] }} AllFigures
 *
 * @typedef {object} ScenarioView - how plans and results of a scenario are shown
 * @property {ScenarioWords} words
 * @property {(result: any) => Table} cells - of its table; without rows when nothing was measured
 * @property {(result: any, content: string) => { headings: string[], rows: string[][] }} fileRows - that are appended to a file that
 *   tables are collected in; `content`: of the file so far
 * @property {ScenarioNotes} notes
 * @property {(result: any) => string[]} parts - of the markdown page, under the notes
 * @property {Readonly<{ what: (result: any) => string, came: (result: any) => string }>} inLine - what was run, and what came of it
 * @property {Settings} settings
 * @property {Readonly<{ once: (result: any) => [string, string], repeatedly: (result: any) => [string, string] }>} against - what a run,
 *   or each of many, was held against
 * @property {(sides: readonly { results: readonly any[] }[]) => AllFigures} beside - all figures of runs of several plans
 * @property {(result: any) => [string, string]} started - anew for each of many runs
 * @property {readonly ViewFile[]} csv
 * @property {readonly import('./gauge.js').Gauge[]} gauges - that Prometheus is told beside the figures
 * @property {import('./scenario-matrix.js').ScenarioMatrix} matrix
 * @property {() => Promise<PageParts>} page - with it comes what draws its plots
 *
 * @typedef {Readonly<ScenarioView & { scenario: Scenario }>} View
 *
 * @typedef {(of: { scenario: string }) => View} ViewOf - of a plan, a result or the table of a matrix
 */
export {}
