import ora from 'ora'
import { phaseTimes } from './phase-times.js'
import { headLines, phaseLine, phaseWords, progressLine } from './progress-words.js'

/**
 * @typedef {import('../result/types.js').Record_} Record_
 * @typedef {import('../plan/plan.js').AnyPlan} AnyPlan
 * @typedef {import('./plain-progress.js').Progress} Progress
 */

/**
 * liveProgress shows the phases on a terminal: a check mark for those that are done, a moving line for the one that
 * goes on.
 *
 * @param {object} components
 * @param {NodeJS.WritableStream} components.stream - a terminal
 * @param {string} components.version
 * @param {import('./view.js').View} components.view
 * @returns {Progress}
 */
export function liveProgress({ stream, version, view }) {
  // ora would swallow Ctrl-C while it discards standard input
  const spinner = ora({ stream, indent: 2, discardStdin: false, isEnabled: true })
  const took = phaseTimes()
  /** @type {AnyPlan | undefined} */
  let plan

  /** @param {Extract<Record_, { type: 'phase' }>} record */
  function phase(record) {
    const ms = took(record)
    const { running, done } = phaseWords(record.name, /** @type {AnyPlan} */ (plan), view)
    if (record.state === 'begin') spinner.start(running)
    else if (record.state === 'done') spinner.succeed(phaseLine(done, ms, record.detail))
    else spinner.fail(phaseLine(`${running} broken off`, ms, record.detail))
  }

  /** @param {string} text */
  function above(text) {
    const { isSpinning, text: current } = spinner
    if (isSpinning) spinner.stop()
    stream.write(`${text}\n`)
    if (isSpinning) spinner.start(current)
  }

  return {
    add(record) {
      if (record.type === 'start') {
        plan = record.plan
        above(headLines(record, version, view).join('\n'))
      } else if (plan === undefined) return
      else if (record.type === 'phase') phase(record)
      else if (record.type === 'progress')
        spinner.text = progressLine(phaseWords(record.phase, plan, view).running, record, {
          withBar: true,
          view
        })
    },
    notice: above,
    close: () => void spinner.stop()
  }
}
