import { largestOf } from '../../../kit/lists.js'
import { generatorLimited } from '../../generator-limited.js'
import { medianOf } from './handshake-times.js'

/**
 * handshakeWarnings say where the client had too large a part in handshakes.
 *
 * @param {readonly import('../perf-types.js').HandshakeRow[]} rows
 * @returns {import('../../../result/types.js').Warning[]}
 */
export const handshakeWarnings = rows =>
  generatorLimited({
    health: [{ worker: 0, utilization: largestOf(rows, ({ utilization = 0 }) => utilization) }],
    times: rows.flatMap(({ way, times }) =>
      times === null ? [] : [[`handshakes of ${way}`, { p50: medianOf(times) }]]
    )
  })
