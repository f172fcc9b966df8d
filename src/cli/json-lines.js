import { createWriteStream } from 'node:fs'
import { STANDARD_OUTPUT } from '../plan/shared-options.js'

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

/** @typedef {{ write: (text: string) => Promise<void>, close: () => Promise<void> }} Sink */

/** @param {Surroundings['stdout']} stdout @returns {Sink} */
const toStream = stdout => ({
  write: async text => void stdout.write(text),
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
    write: text =>
      new Promise((resolve, reject) => {
        opened().write(text, error => (error == null ? resolve() : reject(error)))
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
 * linesTo are written where --jsonLines says.
 *
 * @param {string | null} path - that can be written; `-`: standard output; null: nothing is written
 * @param {Pick<Surroundings, 'stdout' | 'now'>} surroundings
 * @returns {Promise<Lines>}
 */
export async function linesTo(path, { stdout, now }) {
  if (path === null) return NOTHING
  const { jsonLines } = await import('../report/json-lines.js')
  const { write: add, close } = path === STANDARD_OUTPUT ? toStream(stdout) : toFile(path)
  const write = (/** @type {object} */ line) => add(`${JSON.stringify(line)}\n`)
  return {
    ofRun: of => [{ add: jsonLines(of, write, now), close() {} }],
    ofStudy({ document, folder, state }) {
      const { id, status, reason } = document
      return write({ type: 'study', at: now().toISOString(), run: id, state, status, reason, folder })
    },
    close
  }
}

/**
 * besideLines are surroundings in which standard output is for lines alone, where they go there: people read the other one.
 *
 * @param {{ jsonLines: string | null }} output
 * @param {Surroundings} surroundings
 * @returns {Surroundings}
 */
export const besideLines = ({ jsonLines }, surroundings) =>
  jsonLines === STANDARD_OUTPUT ? { ...surroundings, stdout: surroundings.stderr } : surroundings
