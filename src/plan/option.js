/**
 * @typedef {import('./read-options.js').Given} Given
 * @typedef {import('./read-options.js').OptionTable} OptionTable
 *
 * @typedef {object} OptionText
 * @property {string} group - heading in --help
 * @property {string} describe
 * @property {string} [short] - the letter it can be given by, too
 * @property {readonly string[]} [formerly] - names that it had, by which it can be given, too
 * @property {boolean} [common] - among the few that the short help shows
 * @property {unknown} [default] - as it would be typed; undefined: none
 * @property {string} [defaultText] - says the default where it depends on something
 * @property {string} [planKey] - its key in the plan where that carries a unit
 * @property {(value: any) => string} [write] - how a value of the plan is typed
 * @property {boolean} [canBeOutOfForce] - another option can put it out of force, which makes it null in the plan
 * @property {boolean} [ofSomePlans] - a plan that has no use for it is without its key
 * @property {'plan' | 'output' | 'config'} [part] - where it goes; default: the plan
 *
 * @typedef {object} Condition - what an option has no use without: a network, a load model, a target
 * @property {string} of - what the option is of: `the closed model`
 * @property {readonly string[]} needs - options that are looked at
 * @property {(values: Record<string, any>) => boolean} met
 * @property {string} otherwise - what is said of the option where it is not met
 * @property {(value: any) => boolean} [asks] - whether a value asks for anything; default: each does
 * @property {'simulated'} [lacks] - as of a Rule
 *
 * @typedef {object} Where - where an option holds, and what follows from it elsewhere
 * @property {Readonly<Record<string, string>>} [notIn] - commands and studies that have no use for it, and why
 * @property {Readonly<Condition>} [only] - what it has no use without
 * @property {string} [fixed] - why nobody can give it here: it has its default. Made by optionsIn
 * @property {unknown} [anyway] - what it is where it is fixed: this can be given there, as a flag for many rows is
 * @property {unknown} [added] - its value in results from before there was the option
 * @property {boolean} [ofCase] - plans of a published case agree in it
 *
 * @typedef {OptionText & Where & import('./values.js').Kind} Option
 *
 * @typedef {object} Rule - a combination of options that cannot be run
 * @property {string} flag - the option it is said of
 * @property {readonly string[]} [needs] - further options it looks at; it is skipped when the value of one is not allowed
 * @property {'simulated'} [lacks] - what has to exist for the combination to be run: makePlanOf can make its plan all the same
 * @property {(values: Record<string, any>, given: Map<string, Given>) => string | false | null | undefined} refuse - says
 *   what to change, or nothing when the combination can be run
 */

/**
 * optionsIn gives the table of a command that takes the options of another one: what has no use there is fixed.
 *
 * @param {string} place - the command or study
 * @param {OptionTable} table
 * @param {object} [how]
 * @param {readonly string[]} [how.never] - conditions that are not met there, by what options are of
 * @returns {OptionTable}
 */
export function optionsIn(place, table, { never = [] } = {}) {
  /** @param {Option} option */
  const fixed = ({ notIn, only }) =>
    notIn?.[place] ?? (only !== undefined && never.includes(only.of) ? `it is of ${only.of}` : undefined)
  return Object.freeze(
    Object.fromEntries(
      Object.entries(table).map(([key, option]) => [key, Object.freeze({ ...option, fixed: fixed(option) })])
    )
  )
}

/** takenOf gives the options of a table that can be given. @param {OptionTable} table @returns {OptionTable} */
export const takenOf = table =>
  Object.freeze(Object.fromEntries(Object.entries(table).filter(([, { fixed }]) => fixed === undefined)))

/** noUse is said of an option that is fixed. @param {string} why @param {string} [where] */
export const noUse = (why, where = 'has no use here') => `${where}: ${why}`

/**
 * refusedOf says of the options of a table that cannot be given why.
 *
 * @param {OptionTable} table
 * @param {string} [where] - they have no use
 * @returns {Record<string, string>} by option
 */
export const refusedOf = (table, where) =>
  Object.fromEntries(
    Object.entries(table).flatMap(([key, { fixed }]) =>
      fixed === undefined ? [] : [[key, noUse(fixed, where)]]
    )
  )

/** conditionRules refuse options without what they have no use without. @param {OptionTable} table @returns {Rule[]} */
export const conditionRules = table =>
  Object.entries(table).flatMap(([flag, { only }]) => {
    if (only === undefined) return []
    const { needs, lacks, met, otherwise, asks = () => true } = only
    return [
      {
        flag,
        needs,
        lacks,
        refuse: (values, given) => given.has(flag) && asks(values[flag]) && !met(values) && otherwise
      }
    ]
  })

/** addedSince gives what plans have that were written before there was the option. @param {OptionTable} table @returns {Record<string, any>} by key of the plan */
export const addedSince = table =>
  Object.fromEntries(
    Object.entries(table).flatMap(([key, { planKey = key, ...option }]) =>
      'added' in option ? [[planKey, option.added]] : []
    )
  )

/** caseKeys gives the keys in which plans of a published case agree. @param {OptionTable} table @returns {string[]} */
export const caseKeys = table =>
  Object.entries(table).flatMap(([key, { planKey = key, ofCase }]) => (ofCase ? [planKey] : []))
