import ora from 'ora'
import { MATRIX_SCENARIOS } from './matrix-scenarios.js'
import { spell } from './numbers.js'
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
 * @property {(record: Record_) => void} add - a record of the row that goes on
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

/** @param {NodeJS.WritableStream} stream @returns {MatrixProgress} */
function live(stream) {
  // ora would swallow Ctrl-C while it discards standard input
  const spinner = ora({ stream, indent: 2, discardStdin: false, isEnabled: true })
  let head = ''
  let left = ''
  /** @type {import('../plan/plan.js').AnyPlan | undefined} */
  let plan
  return {
    begin(place) {
      plan = place.row.plan
      head = title(place)
      left = `in all: ETA ${spell(place.etaMs)}`
      spinner.start(`${head}   ${left}`)
    },
    add(record) {
      if (plan === undefined) return
      if (record.type === 'phase' && record.state === 'begin')
        spinner.text = `${head}   ${phaseWords(record.name, plan).running}   ${left}`
      else if (record.type === 'progress')
        spinner.text = `${head}   ${progressLine(phaseWords(record.phase, plan).running, record, { withBar: false, scenario: plan.scenario })}   ${left}`
    },
    end(place, result) {
      const line = endLine(place, result)
      if (place.row.status === 'complete') spinner.succeed(line)
      else spinner.fail(line)
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
