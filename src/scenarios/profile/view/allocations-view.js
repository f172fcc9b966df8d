import { counted, megabytes } from '../../../kit/numbers.js'

/**
 * @typedef {import('../profile-types.js').Allocated} Allocated
 * @typedef {import('../measure/allocations.js').FoldedAllocation} FoldedAllocation
 * @typedef {import('../measure/folded.js').FoldedCall} FoldedCall
 */

/** allocatedInWords says what shares are of. @param {Allocated} allocated */
export const allocatedInWords = ({ samples, bytes, workers, intervalBytes }) =>
  `${megabytes(bytes)} MB allocated on the heaps of ${counted(workers.length, 'process', 'processes')} while messages were published, by ${counted(samples, 'sample')}, one for about ${intervalBytes / 1024} kB`

/** mostAllocated names the categories that allocate most. @param {Allocated} allocated @param {number} [most] */
export const mostAllocated = ({ categories }, most = 3) =>
  categories
    .slice(0, most)
    .map(({ category, selfShare }) => `${category} ${(100 * selfShare).toFixed(1)} %`)
    .join(', ')

/** heapFilesInWords says where profiles are and what opens them. @param {Allocated} allocated @returns {string[]} */
export const heapFilesInWords = ({ files }) =>
  files.length === 0
    ? []
    : [
        `Allocation profiles in the folder of the run: ${files.join(', ')}. They open in the developer tools of browsers (Memory, load) and in editors.`
      ]

/** asDrawn has kB where a flame graph has times. @param {FoldedAllocation} call @returns {FoldedCall} */
export const asDrawn = ({ selfBytes, totalBytes, children, ...call }) => ({
  ...call,
  selfMs: selfBytes / 1000,
  totalMs: totalBytes / 1000,
  children: children.map(asDrawn)
})

/** kilobytes writes an amount in a flame graph. @param {number} kb */
export const kilobytes = kb => (kb >= 1000 ? `${(kb / 1000).toFixed(1)} MB` : `${kb.toFixed(0)} kB`)
