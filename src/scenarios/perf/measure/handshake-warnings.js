import { largestOf } from '../../../kit/lists.js'
import { doubtWarnings, generatorWarnings } from '../../generator-warnings.js'
import { medianOf } from './handshake-times.js'

/**
 * handshakeWarnings say where the client had too large a part in handshakes.
 *
 * @param {readonly import('../perf-types.js').HandshakeRow[]} rows
 * @returns {import('../../../result/types.js').Warning[]}
 */
export const handshakeWarnings = rows => [
  ...generatorWarnings([{ worker: 0, utilization: largestOf(rows, ({ utilization = 0 }) => utilization) }]),
  ...rows.flatMap(({ way, times }) =>
    times === null ? [] : doubtWarnings(`handshakes of ${way}`, /** @type {any} */ ({ p50: medianOf(times) }))
  )
]
