import { createWriteStream } from 'node:fs'
import { clockFrom } from '../kit/clock-from.js'
import { STANDARD_OUTPUT } from '../plan/shared-options.js'
import { describeRun } from '../report/description/describe-run.js'

/**
 * @typedef {import('../result/deliver.js').Consumer} Consumer
 * @typedef {import('./surroundings.js').Surroundings} Surroundings
 *
 * @typedef {object} Lines - what is written while a run or a study goes on
 * @property {(of: import('../report/json-lines.js').LineOf) => Consumer[]} ofRun - takes the records of a run; none where nothing is written
 * @property {(study: { document: import('../studies/study-document.js').Head, folder: string, state: 'begin' | 'end' }) => Promise<void>} ofStudy
 * @property {() => Promise<void>} close
 */

/** @type {Lines} */
const NOTHING = { ofRun: () => [], async ofStudy() {}, async close() {} }

/**
 * @typedef {object} Sink
 * @property {(line: any) => Promise<void>} write
 * @property {(run: string, description: import('../report/description/description.js').Description) => void} [describe] - takes the result so far
 * @property {() => Promise<void>} close
 */

/** @param {object} line */
const textOf = line => `${JSON.stringify(line)}\n`

/** @param {Surroundings['stdout']} stdout @returns {Sink} */
const toStream = stdout => ({
  write: async line => void stdout.write(textOf(line)),
  async close() {}
})

/** The file is opened when there is something for it: what is refused takes nothing from an earlier one. @param {string} path @returns {Sink} */
function toFile(path) {
  /** @type {import('node:fs').WriteStream | undefined} */
  let stream
  const opened = () => {
    // whoever writes is told of an error
    stream ??= createWriteStream(path).on('error', () => {})
    return stream
  }
  return {
    write: line =>
      new Promise((resolve, reject) => {
        opened().write(textOf(line), error => (error == null ? resolve() : reject(error)))
      }),
    close: () =>
      new Promise(resolve => {
        if (stream === undefined || stream.closed) return resolve()
        stream.once('close', () => resolve())
        stream.end()
      })
  }
}

/**
 * linesTo are written where --jsonLines says, and to whoever else takes them.
 *
 * @param {string | null} path - that can be written; `-`: standard output; null: they are not written
 * @param {Pick<Surroundings, 'stdout' | 'now'>} surroundings
 * @param {readonly Sink[]} [others]
 * @returns {Promise<Lines>}
 */
export async function linesTo(path, { stdout, now }, others = []) {
  const own = path === null ? [] : [path === STANDARD_OUTPUT ? toStream(stdout) : toFile(path)]
  const sinks = [...own, ...others]
  if (sinks.length === 0) return NOTHING
  const { jsonLines } = await import('../report/json-lines.js')
  const clock = clockFrom(now())
  const write = async (/** @type {object} */ line) => {
    for (const sink of sinks) await sink.write(line)
  }
  return {
    ofRun: of => [
      { add: jsonLines(of, write, clock), close() {} },
      ...sinks.flatMap(({ describe }) => (describe === undefined ? [] : [describing(describe, of.view)]))
    ],
    ofStudy({ document, folder, state }) {
      const { id, status, reason } = document
      return write({ type: 'study', at: clock().toISOString(), run: id, state, status, reason, folder })
    },
    async close() {
      for (const sink of sinks) await sink.close()
    }
  }
}

/** @param {NonNullable<Sink['describe']>} describe @param {import('../report/view.js').View} view @returns {Consumer} */
const describing = (describe, view) => ({
  add(record) {
    if (record.type === 'partial' || record.type === 'result')
      describe(record.result.id, describeRun(record.result, view))
  },
  close() {}
})

/**
 * besideLines are surroundings in which standard output is for lines alone, where they go there: people read the other one.
 *
 * @param {{ jsonLines: string | null }} output
 * @param {Surroundings} surroundings
 * @returns {Surroundings}
 */
export const besideLines = ({ jsonLines }, surroundings) =>
  jsonLines === STANDARD_OUTPUT ? { ...surroundings, stdout: surroundings.stderr } : surroundings
