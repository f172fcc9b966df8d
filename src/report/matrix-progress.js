import ora from 'ora'
import { spell } from '../kit/numbers.js'
import { MATRIX_SCENARIOS } from './matrix-scenarios.js'
import { phaseWords, progressLine } from './progress-words.js'

/**
 * @typedef {import('../result/types.js').Record_} Record_
 * @typedef {import('../result/gossip-types.js').AnyResult} AnyResult
 * @typedef {import('../result/matrix-folder.js').RowRecord} RowRecord
 *
 * @typedef {object} Place - of a row among those that are run
 * @property {Pick<RowRecord, 'id' | 'plan' | 'status' | 'reason' | 'tookMs'>} row - or whatever else is run one after the other
 * @property {number} index - from 1
 * @property {number} total
 * @property {number} etaMs - of the whole matrix
 *
 * @typedef {object} MatrixProgress
 * @property {(place: Place) => void} begin
 * @property {(record: Record_, place?: Place) => void} add - a record of a row that goes on; `place`: which one, where several do
 * @property {(place: Place, result: AnyResult | null) => void} end
 * @property {(text: string) => void} notice
 * @property {() => void} close
 */

/** @param {Place} place */
const title = ({ row, index, total }) => `${String(index).padStart(String(total).length)}/${total}  ${row.id}`

/** @param {AnyResult | null} result */
const figures = result => (result === null ? '' : MATRIX_SCENARIOS[result.scenario].inLine(result))

/** @param {Place} place @param {AnyResult | null} result */
function endLine({ row, ...place }, result) {
  const failed = row.status === 'complete' ? [] : [`${row.status}: ${row.reason?.message ?? 'no result'}`]
  return [title({ row, ...place }), spell(row.tookMs ?? 0), ...failed, figures(result)]
    .filter(text => text !== '')
    .join('   ')
}

/** @type {MatrixProgress} */
const NOTHING = Object.freeze({ begin() {}, add() {}, end() {}, notice() {}, close() {} })

/** @param {(line: string) => void} write @returns {MatrixProgress} */
const plain = write => ({
  ...NOTHING,
  begin: place => write(`  ${title(place)}   ETA ${spell(place.etaMs)}`),
  end: (place, result) => write(`${place.row.status === 'complete' ? '✔' : '✖'} ${endLine(place, result)}`),
  notice: write
})

/** What a row is at. @param {Record_} record @param {import('../plan/plan.js').AnyPlan} plan @returns {string | null} null: it says nothing of it */
function activity(record, plan) {
  if (record.type === 'phase' && record.state === 'begin') return phaseWords(record.name, plan).running
  if (record.type !== 'progress') return null
  const { running } = phaseWords(record.phase, plan)
  return progressLine(running, record, { withBar: false, scenario: plan.scenario })
}

/** @param {NodeJS.WritableStream} stream @returns {MatrixProgress} */
function live(stream) {
  // ora would swallow Ctrl-C while it discards standard input
  const spinner = ora({ stream, indent: 2, discardStdin: false, isEnabled: true })
  /** @type {Map<string, { place: Place, doing: string }>} by id: rows that go on, the latest last */
  const running = new Map()
  let left = ''
  const text = () =>
    [...running.values()].map(({ place, doing }) => `${title(place)}   ${doing}${left}`).join('\n    ')
  const latest = () => [...running.values()].at(-1)?.place
  return {
    begin(place) {
      running.set(place.row.id, { place, doing: '' })
      left = `in all: ETA ${spell(place.etaMs)}`
      spinner.start(text())
    },
    add(record, place = latest()) {
      const row = place === undefined ? undefined : running.get(place.row.id)
      const doing = row === undefined ? null : activity(record, row.place.row.plan)
      if (row === undefined || doing === null) return
      row.doing = `${doing}   `
      spinner.text = text()
    },
    end(place, result) {
      running.delete(place.row.id)
      const line = endLine(place, result)
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

/**
 * matrixProgress shows how a matrix goes on: a line for each row that has ended, and on a terminal a moving one for the row
 * that goes on.
 *
 * @param {object} components
 * @param {import('./terminal.js').Stream} components.stream
 * @param {boolean} components.quiet
 * @returns {MatrixProgress}
 */
export function matrixProgress({ stream, quiet }) {
  if (quiet) return NOTHING
  return stream.isTTY ? live(stream) : plain(line => void stream.write(`${line}\n`))
}
