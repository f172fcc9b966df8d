import { present } from '../../../kit/lists.js'
import { megabytes } from '../../../kit/numbers.js'

/**
 * inContainer says what container a server runs in.
 *
 * @param {Pick<import('../../../target/target.js').Container, 'image' | 'cpus' | 'memoryBytes'>} container
 */
export const inContainer = ({ image, ...limits }) => `in a Docker container of ${image}${limitedTo(limits)}`

/**
 * limitedTo is what a container may use, to be put behind a word for it.
 *
 * @param {Pick<import('../../../target/target.js').Container, 'cpus' | 'memoryBytes'>} limits
 */
export function limitedTo({ cpus, memoryBytes }) {
  const limited = present([
    cpus !== null && `${cpus} ${cpus === 1 ? 'core' : 'cores'}`,
    memoryBytes !== null && `${megabytes(memoryBytes)} MB`
  ])
  return limited.length === 0 ? '' : `, limited to ${limited.join(' and ')}`
}
