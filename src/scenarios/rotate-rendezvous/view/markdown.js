import { asMarkdown } from '../../../kit/table.js'
import { peerRotationTables } from './tables.js'

/**
 * peerRotationParts are the parts of a run's markdown page about peers that rotated.
 *
 * @param {import('../../gossip/gossip-types.js').RendezvousRotationResult} result
 * @returns {string[]} none: nothing was measured
 */
export const peerRotationParts = ({ outcome: { rotation } }) =>
  rotation === null
    ? []
    : [
        '## Rotation',
        ...peerRotationTables(rotation).flatMap(({ title, table }) => [`### ${title}`, asMarkdown(table)])
      ]
