import { csvOf } from '../../../report/csv.js'

/** @typedef {import('../transfer-types.js').TransferResult} TransferResult */

const LINE = ['way', 'latencyMs', 'bytesPerSecond']

/** @param {string} path */
const interval = path => ['median', 'low', 'high'].map(key => `${path}.${key}`)

/** casesCsv has a row for each way in each round. @param {TransferResult} result */
export const casesCsv = ({ outcome: { cases } }) =>
  csvOf(
    [
      ...LINE,
      ...[
        'batches',
        'transfers',
        'failed',
        ...interval('seconds'),
        'seconds.slowest',
        ...interval('goodput')
      ],
      ...[
        'firstByteMs.median',
        'firstByteMs.slowest',
        'waitMs.median',
        'waitMs.slowest',
        'connectMs',
        'roundTripMs'
      ],
      ...[...interval('factorToHttp'), 'wirePerByte', 'blocks'],
      ...[
        'cpuSecondsPerGB.provider',
        'cpuSecondsPerGB.requestors',
        'peakBytes.provider',
        'peakBytes.requestor'
      ],
      ...['fairness', 'windowBytes', 'model.bytesPerSecond', 'model.limit', 'verdict.limit', 'verdict.text']
    ],
    cases
  )

/** transfersCsv has a row for each transfer. @param {TransferResult} result */
export const transfersCsv = ({ outcome: { transfers } }) =>
  csvOf(
    [
      ...LINE,
      ...['repeat', 'requestor', 'file', 'outcome', 'error', 'waitMs', 'firstByteMs', 'totalMs', 'goodput'],
      ...['wirePerByte', 'blocks']
    ],
    transfers
  )

/** blocksCsv has a row for each block that was looked at. @param {TransferResult} result */
export const blocksCsv = ({ outcome: { blockTimes } }) =>
  csvOf([...LINE, 'transfer', 'cid', 'queuedMs', 'sentMs', 'receivedMs', 'storedMs'], blockTimes ?? [])

/** @param {string} when */
const memory = when => ['residentBytes', 'heapBytes', 'externalBytes'].map(key => `${when}.${key}`)

/** memoryCsv has a row for each reading of memory. @param {TransferResult} result */
export const memoryCsv = ({ outcome: { memory: readings } }) =>
  csvOf([...LINE, 'repeat', 'side', 'blocks', ...memory('before'), ...memory('after')], readings ?? [])
