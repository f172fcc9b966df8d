import { enumerated } from '../../../kit/lists.js'
import { settingInLine } from '../../../scenarios/gossip/view/in-line.js'
import { counterSentences, measureTitle, moreRuns } from './validation-tables.js'

/** @typedef {import('../result/validation-document.js').ValidationDocument} ValidationDocument */

/** mostRuns is of open measures the one that takes most runs to decide. @param {readonly import('../result/judge-measures.js').MeasureVerdict[]} open - at least one */
export const mostRuns = open =>
  open.find(({ more }) => more === null) ?? open.toSorted((a, b) => Number(b.more) - Number(a.more))[0]

/** named are titles in mid-sentence. @param {readonly import('../result/judge-measures.js').MeasureVerdict[]} measures */
export const named = measures =>
  enumerated(
    measures.map(({ name }) => measureTitle(name).replace(/^[A-Z](?=[a-z])/, letter => letter.toLowerCase()))
  )

/** @param {ValidationDocument} document */
const complete = ({ runs }) => runs.real.filter(({ status }) => status === 'complete').length

/** @param {readonly string[]} engines */
const byEngines = engines =>
  engines.length === 0 ? '' : ` by ${enumerated(engines.map(engine => engine.replace('-', ' ')))}`

/**
 * validationAnswer says in a sentence what a validation came to.
 *
 * @param {ValidationDocument} document
 */
export function validationAnswer({ verdict }) {
  if (verdict === null) return 'Nothing can be said: too few runs are complete.'
  const apart = verdict.measures.filter(({ verdict }) => verdict === 'differs')
  const open = verdict.measures.filter(({ verdict }) => verdict === 'undecided')
  const blind = verdict.counter.filter(({ verdict }) => verdict !== 'differs')
  const unmet = verdict.conditions.filter(({ met }) => !met)
  if (apart.length > 0) {
    return `Not passed: the simulated network differs from the real one in ${named(apart)}${unmet.length > 0 ? ', and not all conditions are met' : ''}.`
  }
  if (open.length > 0) {
    return `Not passed: undecided in ${named(open)}: ${moreRuns(mostRuns(open))}.`
  }
  if (blind.length > 0) return 'Not passed: a simulation that is wrong would not be noticed.'
  if (unmet.length > 0)
    return 'Not passed: everything agrees, and not all conditions of a comparison are met.'
  if (verdict.passed === null) return 'Everything agrees so far, and not all runs are complete.'
  return 'Passed: the simulated network agrees with the real one within the margins.'
}

/**
 * validationSentences say what a validation came to, and of what.
 *
 * @param {ValidationDocument} document
 * @returns {string[]} the first is the answer
 */
export function validationSentences(document) {
  const { runs, simulatedWith, verdict } = document
  const [{ plan }] = runs.real
  const many = complete(document)
  const seeds = runs.real.length
  return [
    validationAnswer(document),
    `${many === seeds ? seeds : `${many} of ${seeds}`} seeds, real on TCP and simulated${byEngines(verdict?.engines ?? [])}: ${settingInLine({ plan })}; L is ${plan.linkLatencyMs} ms.`,
    ...(simulatedWith === null
      ? []
      : [`The simulated runs have other options, as was asked for: ${simulatedWith}`]),
    ...counterSentences(verdict?.counter ?? [])
  ]
}
