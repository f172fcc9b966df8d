import { blockTimesOf } from './block-times.js'

/**
 * @typedef {import('../plan/ways.js').Way} Way
 * @typedef {import('../transfer-plan.js').Round} Round
 * @typedef {import('../transfer-types.js').Batch} Batch
 * @typedef {import('../transfer-types.js').Transfer} Transfer
 * @typedef {import('../transfer-types.js').TransferOutcome} TransferOutcome
 * @typedef {import('./sides.js').Moved} Moved
 * @typedef {import('./file-tree.js').FileTree} FileTree
 *
 * @typedef {Round & { way: Way, repeat: number }} Place - of a repeat in the run
 */

/** TransferLog keeps what was measured: a row for each repeat of a way, and one for each transfer. */
export class TransferLog {
  /** @type {FileTree[]} */
  files = []
  /** @type {Batch[]} */
  batches = []
  /** @type {Transfer[]} */
  transfers = []
  /** @type {TransferOutcome['waiting']} */
  waiting = []
  /** @type {NonNullable<TransferOutcome['blockTimes']>} */
  blockTimes = []
  /** @type {NonNullable<TransferOutcome['memory']>} */
  memory = []

  /** add keeps what a repeat came to. @param {Place} place @param {Moved} moved */
  add(place, { provision, fetchings }) {
    const payloadBytes = this.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    const { cpuMs, wallMs, peakBytes, served, waiting } = provision
    this.batches.push({
      ...place,
      payloadBytes,
      provider: { cpuMs, wallMs, peakBytes },
      requestors: fetchings.map(fetching => ({
        cpuMs: fetching.cpuMs,
        wallMs: fetching.wallMs,
        peakBytes: fetching.peakBytes,
        connectMs: fetching.connectMs,
        roundTripMs: fetching.roundTripMs,
        spanMs: Number.isNaN(fetching.spanMs) ? null : fetching.spanMs,
        wireBytes: fetching.wireBytes
      }))
    })
    if (place.repeat === 0 && waiting.some(([, requests]) => requests > 0)) {
      const { way, latencyMs, bytesPerSecond } = place
      this.waiting.push({ way, latencyMs, bytesPerSecond, points: waiting })
    }
    if (place.repeat === 0) this.blockTimes.push(...blockTimesOf(place, provision, fetchings))
    this.#addMemory(place, provision, fetchings)
    this.#addTransfers(place, fetchings, new Map(served.map(({ transfer, waitMs }) => [transfer, waitMs])))
  }

  /** @param {Place} place @param {Moved['provision']} provision @param {Moved['fetchings']} fetchings */
  #addMemory(place, provision, fetchings) {
    const sides = [
      { side: 'provider', memory: provision.memory },
      ...fetchings.map(({ memory }, i) => ({ side: `requestor ${i}`, memory }))
    ]
    for (const { side, memory } of sides)
      for (const reading of memory) this.memory.push({ ...place, side, ...reading })
  }

  /** @param {Place} place @param {Moved['fetchings']} fetchings @param {Map<string, number>} waits */
  #addTransfers(place, fetchings, waits) {
    for (const [requestor, { fetched, wireBytes }] of fetchings.entries())
      for (const [file, { transfer, curve, totalMs, storedBytes, ...each }] of fetched.entries()) {
        const { sizeBytes } = this.files[file]
        this.transfers.push({
          ...place,
          requestor,
          file,
          outcome: each.outcome,
          error: each.error,
          waitMs: waits.get(transfer) ?? null,
          firstByteMs: each.firstByteMs,
          totalMs,
          goodput: totalMs === null ? null : sizeBytes / (totalMs / 1000),
          // transfers at once share their connections
          wirePerByte:
            totalMs === null || wireBytes === null ? null : wireBytes / (sizeBytes * fetched.length),
          blocks: each.blocks,
          ...(place.repeat === 0 ? { curve } : {})
        })
      }
  }
}
