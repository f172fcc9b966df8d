import { asMarkdown } from '../../../kit/table.js'
import { rotationTables } from './tables.js'

/**
 * rotationParts are the parts of a run's markdown page about nodes that rotated.
 *
 * @param {import('../../gossip/gossip-types.js').RotationResult} result
 * @returns {string[]} none: nothing was published
 */
export const rotationParts = ({ outcome: { rotation } }) =>
  rotation === null
    ? []
    : [
        '## Rotation',
        ...rotationTables(rotation).flatMap(({ title, table }) => [`### ${title}`, asMarkdown(table)])
      ]
