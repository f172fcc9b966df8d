import { fitted, wrapped } from '../kit/fitted.js'
import { columnsOf, roomOf } from '../kit/terminal-width.js'
import { phaseTimes } from './phase-times.js'
import { headLines, phaseLine, phaseWords, progressLine } from './progress-words.js'
import { spinnerOn } from './spinner.js'
import { onTerminal } from './terminal-text.js'

/**
 * @typedef {import('../result/types.js').Record_} Record_
 * @typedef {import('../result/types.js').ProgressRecord} ProgressRecord
 * @typedef {import('../plan/plan.js').AnyPlan} AnyPlan
 * @typedef {import('./terminal.js').Progress} Progress
 */

/** As many of the latest figures are drawn. */
const DRAWN = 5

/**
 * liveProgress shows the phases on a terminal: a check mark for those that are done, a moving line for the one that
 * goes on.
 *
 * @param {object} components
 * @param {NodeJS.WritableStream & { columns?: number }} components.stream - a terminal
 * @param {string} components.version
 * @param {import('./view.js').View} components.view
 * @returns {Progress}
 */
export function liveProgress({ stream, version, view }) {
  const spinner = spinnerOn(stream)
  const took = phaseTimes()
  /** @type {AnyPlan | undefined} */
  let plan
  /** @type {ProgressRecord[]} of the phase that goes on, the latest last */
  let told = []
  const room = () => roomOf(stream)
  const ended = (/** @type {string} */ line) => wrapped(line, room())

  /** @param {Extract<Record_, { type: 'phase' }>} record */
  function phase(record) {
    const ms = took(record)
    const { running, done } = phaseWords(record.name, /** @type {AnyPlan} */ (plan), view)
    told = []
    if (record.state === 'begin') spinner.start(fitted([running], room()))
    else if (record.state === 'done') spinner.succeed(ended(phaseLine(done, ms, record.detail)))
    else spinner.fail(ended(phaseLine(`${running} broken off`, ms, record.detail)))
  }

  /** @param {ProgressRecord} record @param {AnyPlan} of */
  function progress(record, of) {
    spinner.text = progressLine(phaseWords(record.phase, of, view).running, record, {
      ...{ withBar: true, view, plan: of, before: told, columns: room() }
    })
    told = [...told, record].slice(-DRAWN)
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
        above(
          headLines(record, version, view)
            .map(line => wrapped(line, columnsOf(stream)))
            .join('\n')
        )
      } else if (plan === undefined) return
      else if (record.type === 'phase') phase(record)
      else if (record.type === 'progress') progress(record, plan)
    },
    notice: text => above(onTerminal(text, stream)),
    close: () => void spinner.stop()
  }
}
