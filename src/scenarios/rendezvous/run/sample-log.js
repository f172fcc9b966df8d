import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'

/** SampleLog writes every single operation of a worker to a CSV file; times are ns on the monotonic clock. */
export class SampleLog {
  #stream

  /** @param {string} file */
  constructor(file) {
    this.#stream = createWriteStream(file)
    this.#stream.write('due_ns,sent_ns,replied_ns,type,outcome\n')
  }

  /** @type {(timing: import('../../../measure/operation-recorder.js').Timing, outcome: string) => void} */
  add = ({ dueNs, sentNs, repliedNs, type }, outcome) => {
    this.#stream.write(`${dueNs ?? sentNs},${sentNs},${repliedNs},${type},${outcome}\n`)
  }

  async close() {
    this.#stream.end()
    await finished(this.#stream)
  }
}
