import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'

/** SampleLog writes every single operation of a worker to a CSV file; times are ns on the monotonic clock. */
export class SampleLog {
  #stream

  /** @param {string} file */
  constructor(file) {
    this.#stream = createWriteStream(file)
    this.#stream.write('due_ns,sent_ns,replied_ns,type,outcome,phase\n')
  }

  /** @type {(timing: import('../../../measure/operation-recorder.js').Timing, outcome: string, phase: string) => void} */
  add = ({ dueNs, sentNs, repliedNs, type }, outcome, phase) => {
    this.#stream.write(`${dueNs ?? sentNs},${sentNs},${repliedNs},${type},${outcome},${phase}\n`)
  }

  async close() {
    this.#stream.end()
    await finished(this.#stream)
  }
}
