import { settingInLine } from '../../../scenarios/gossip/view/in-line.js'
import { measureTitle } from './validation-tables.js'

/** @typedef {import('../result/validation-document.js').ValidationDocument} ValidationDocument */

/** @param {readonly string[]} items */
const listed = items =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items[items.length - 1]}`

/** @param {ValidationDocument} document */
const complete = ({ runs }) => runs.real.filter(({ status }) => status === 'complete').length

/**
 * validationAnswer says in a sentence what a validation came to.
 *
 * @param {ValidationDocument} document
 */
export function validationAnswer({ verdict }) {
  if (verdict === null) return 'Nothing can be said: too few runs are complete.'
  const apart = verdict.measures.filter(({ passed }) => !passed)
  const unmet = verdict.conditions.filter(({ met }) => !met)
  if (apart.length > 0) {
    const names = listed(apart.map(({ name }) => measureTitle(name).toLowerCase()))
    return `Not passed: the simulated network differs from the real one in ${names}${unmet.length > 0 ? ', and not all conditions are met' : ''}.`
  }
  if (unmet.length > 0)
    return 'Not passed: nothing was found to differ, and not all conditions of a comparison are met.'
  if (verdict.passed === null) return 'Nothing was found to differ so far, and not all runs are complete.'
  return 'Passed: the simulated network is no further from the real one than real runs are from each other.'
}

/**
 * validationSentences say what a validation came to, and of what.
 *
 * @param {ValidationDocument} document
 * @returns {string[]} the first is the answer
 */
export function validationSentences(document) {
  const { runs, simulatedWith } = document
  const [{ plan }] = runs.real
  const many = complete(document)
  const seeds = runs.real.length
  return [
    validationAnswer(document),
    `${many === seeds ? seeds : `${many} of ${seeds}`} seeds, real on TCP and simulated: ${settingInLine({ plan })}; L is ${plan.linkLatencyMs} ms.`,
    ...(simulatedWith === null
      ? []
      : [`The simulated runs have other options, as was asked for: ${simulatedWith}`])
  ]
}
