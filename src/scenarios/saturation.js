/**
 * What is known of a scenario whose load can be found out. Only types live here.
 *
 * @typedef {import('../plan/read-options.js').Problem} Problem
 * @typedef {import('../plan/read-options.js').OptionTable} OptionTable
 *
 * @typedef {object} Loads - which loads are tried
 * @property {Pick<import('./scenario.js').CommandText, 'examples' | 'epilogue'>} help - of the command; `epilogue`: what its runs are on
 * @property {OptionTable} own - options of the command
 * @property {OptionTable} options - those, and what its runs have a use for
 * @property {Readonly<Record<string, string>>} notHere - options of a run that have no use, and what to do instead
 * @property {string} ratesFlag - of the rates of a grid
 * @property {readonly number[]} rates - of a grid, unless others are given
 * @property {readonly number[]} sizes - connections, or nodes, of a grid
 * @property {number} searchSize
 * @property {number} from - first rate of a search
 * @property {(ratePerSecond: number, size: number) => number} loadOf - operations or messages a second
 * @property {(own: Record<string, any>) => number[] | undefined} sizesGiven
 * @property {(options: Record<string, unknown>, scenario: import('./scenario.js').Scenario) => number[] | null} fixedSizes - that follow from other options
 * @property {(plan: any, own: Record<string, any>) => Problem[]} searchProblems - why no rate can be searched for
 * @property {'connections' | 'nodes'} sizeName - what the size of a trial is called in documents
 * @property {(options: Record<string, unknown>, size?: number) => Record<string, unknown>} sized - options of a plan, with the size
 * @property {(plan: any, options: Record<string, unknown>, repeat: number) => Record<string, unknown> | null} again - options of a repeat,
 *   where it is not to be the same run again
 *
 * @property {QaRuns} qa
 *
 * @typedef {object} QaGrid - of `qa`, unless another one is given
 * @property {readonly number[]} rates
 * @property {readonly number[]} sizes
 * @property {number} seconds - of each cell
 * @property {number} factor - by which rates are raised until one is not carried
 * @property {number} rows - that may be added so
 *
 * @typedef {object} QaFigure - of a run under a load, that is held against earlier ones; less of it is better
 * @property {string} name
 * @property {string} title - with its unit
 * @property {'times' | 'resources'} part - it is judged in
 * @property {(point: any) => number | null} of - null: not measured, or not of this machine
 * @property {(point: any) => boolean} [isBound] - what failed reaches into it: the true one may be larger
 * @property {boolean} [isShare] - in %, that may be 0
 *
 * @typedef {object} QaRuns - what `qa` runs
 * @property {QaGrid} full
 * @property {QaGrid} quick
 * @property {Readonly<Record<string, string>>} quickOptions - of the runs of a quick one, unless they are given
 * @property {readonly QaFigure[]} figures
 * @property {number} churnPerSecond - rate of the run with churn, unless that is more than half of what is carried
 * @property {Readonly<Record<string, string>>} churnOptions - of that run, unless they are given
 * @property {Readonly<Record<string, string>>} quickChurnOptions - of that of a quick one
 *
 * @typedef {object} Judge - what is made of the runs of a scenario under a load
 * @property {(plan: any) => number} sizeOf - connections, or nodes
 * @property {(trial: { perSecond: number, plan: any }) => number} rateOf - of each connection, or of the whole network
 * @property {(result: any, how: { inTimeMs?: number }) => any} pointOf
 * @property {TrialObjective} objective
 * @property {(trial: { perSecond: number, plan: any }, point: any) => import('../studies/saturation/search/saturation-grid.js').CellFigures} cellOf
 *
 * @typedef {object} TrialObjective - what loads of a scenario must meet to be sustained
 * @property {readonly import('../measure/figure.js').Figure[]} figures - that conditions can be set on; they read an outcome with the `point` of
 *   its trial
 * @property {readonly string[]} usual - the default, as text
 * @property {(objective: readonly import('../plan/threshold.js').Threshold[], plan: any) => string | null} lack - what trials of a plan would need;
 *   null: nothing
 * @property {(figure: import('../measure/figure.js').Figure, plan: any) => number | null} samplesPerSecond - of a trial; null: it needs no number of them
 *
 * @typedef {object} Described - how trials of a scenario stand in a description
 * @property {string} loads - what loads of cells are counted in: operations, deliveries
 * @property {string} rateHeading - of the rates of a grid
 * @property {readonly import('../report/description/tables.js').ColumnOf<any>[]} columns - figures of a point
 * @property {{ title: string, of: (point: any) => number | null }} failed - share of what was due, %
 * @property {(inTimeMs?: number) => string} expected - how what was expected and achieved is counted
 *
 * @typedef {FaceParts & Described} Face - how trials of a scenario are called and shown
 *
 * @typedef {object} FaceParts
 * @property {string} sizeSign - as in r=200, c=4
 * @property {string} one - of what the size counts
 * @property {string} many
 * @property {string} ratesFlag
 * @property {(load: number) => string} loadWords - of a cell
 * @property {(perSecond: number) => string} rateWords - of a trial
 * @property {string} loadHeading
 * @property {string} who - sustains a load
 * @property {string} what - is due: operations, messages
 * @property {string} rateName - what a search finds
 * @property {string} timeName - of what is drawn against throughput
 * @property {string} throughputName
 * @property {(point: any) => number} throughputOf - per second
 * @property {(point: any) => number | null} tailOf - its p99 in ms, or what stands for it
 * @property {string} tailWords - what that is where there is no p99
 * @property {(generatorBound: boolean) => string[]} notes - what the figures are of
 * @property {string} [unsteady] - what repeats that contradict the search again and again show
 * @property {string} boundStatement - what a lower bound is not
 *
 * @typedef {Readonly<Loads & Judge & { face: (options: Record<string, unknown>) => Face }>} Saturation
 */
export {}
