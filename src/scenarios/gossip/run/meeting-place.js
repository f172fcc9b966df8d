import { present } from '../../../kit/lists.js'

/**
 * @typedef {import('../../../network/simulated/joint-passage.js').Told} Told
 * @typedef {import('../../../network/simulated/joint-passage.js').Heard} Heard
 */

/** MeetingPlace is where the processes of a simulation meet: when all of them have told, each hears what the others have for it. */
export class MeetingPlace {
  #processes
  /** @type {Map<number, { told: Told, hear: (heard: Heard) => void }>} by process, those that wait */
  #waiting = new Map()

  /** @param {number} processes */
  constructor(processes) {
    this.#processes = processes
  }

  /** meet resolves when all have told. @param {number} process @param {Told} told @returns {Promise<Heard>} */
  meet(process, told) {
    return new Promise(hear => {
      this.#waiting.set(process, { told, hear })
      if (this.#waiting.size === this.#processes) this.#goOn()
    })
  }

  #goOn() {
    const all = [...this.#waiting]
    const told = all.map(([, { told }]) => told)
    this.#waiting.clear()
    const nextNs = Math.min(...told.map(({ nextNs }) => nextNs))
    const settled = told.every(({ settled }) => settled)
    const ended = told.some(({ ended }) => ended)
    for (const [process, { hear }] of all)
      hear({ boxes: present(told.map(({ boxes }) => boxes[process])), nextNs, settled, ended })
  }
}
