import { fitted, wrapped } from '../../kit/fitted.js'
import { roomOf } from '../../kit/terminal-width.js'
import { phaseWords, progressParts } from '../../report/progress-words.js'
import { spinnerOn } from '../../report/spinner.js'
import { endLine, etaWords, title } from './turn-words.js'

/**
 * @typedef {import('../../result/types.js').Record_} Record_
 * @typedef {import('./study-progress.js').StudyProgress} StudyProgress
 * @typedef {import('./study-progress.js').Place} Place
 * @typedef {import('../../report/view.js').View} View
 * @typedef {import('../../report/view.js').ViewOf} ViewOf
 */

/** What a run is at. @param {Record_} record @param {import('../../plan/plan.js').AnyPlan} plan @param {View} view @returns {string[]} none: it says nothing of it */
function activity(record, plan, view) {
  if (record.type === 'phase' && record.state === 'begin')
    return [phaseWords(record.name, plan, view).running]
  if (record.type !== 'progress') return []
  const { running } = phaseWords(record.phase, plan, view)
  return progressParts(running, record, { withBar: false, view })
}

/**
 * liveStudyProgress shows runs on a terminal: a check mark for those that are done, a moving line for those that go on.
 *
 * @param {NodeJS.WritableStream & { columns?: number }} stream - a terminal
 * @param {ViewOf} viewOf
 * @returns {StudyProgress}
 */
export function liveStudyProgress(stream, viewOf) {
  const spinner = spinnerOn(stream)
  /** @type {Map<string, { place: Place, doing: string[] }>} by id: rows that go on, the latest last */
  const running = new Map()
  let left = ''
  const text = () =>
    [...running.values()]
      .map(({ place, doing }) => fitted([title(place), left, ...doing], roomOf(stream)))
      .join('\n    ')
  const latest = () => [...running.values()].at(-1)?.place
  return {
    begin(place) {
      running.set(place.row.id, { place, doing: [] })
      left = `in all: ${etaWords(place)}`
      spinner.start(text())
    },
    add(record, place = latest()) {
      const row = place === undefined ? undefined : running.get(place.row.id)
      const plan = row?.place.row.plan
      const doing = plan === undefined ? [] : activity(record, plan, viewOf(plan))
      if (row === undefined || doing.length === 0) return
      row.doing = doing
      spinner.text = text()
    },
    end(place, result) {
      running.delete(place.row.id)
      const line = wrapped(endLine(place, result, viewOf), roomOf(stream), '    ')
      if (place.row.status === 'complete') spinner.succeed(line)
      else spinner.fail(line)
      if (running.size > 0) spinner.start(text())
    },
    notice(text) {
      spinner.stop()
      stream.write(`${text}\n`)
      spinner.start()
    },
    close: () => void spinner.stop()
  }
}
