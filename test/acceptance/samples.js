import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * @typedef {object} Sample - one operation; times in ns on the monotonic clock
 * @property {bigint} dueNs
 * @property {bigint} sentNs
 * @property {bigint} repliedNs
 * @property {string} type
 * @property {string} outcome
 * @property {string} file - of its worker
 */

/**
 * samplesIn reads every operation that a run with --samples kept.
 *
 * @param {string} folder - of the run
 * @returns {Promise<Sample[]>} in the order in which they were due
 */
export async function samplesIn(folder) {
  const files = (await readdir(folder)).filter(name => /^samples-\d+\.csv$/.test(name))
  const samples = (await Promise.all(files.map(file => samplesOf(folder, file)))).flat()
  return samples.sort((a, b) => Number(a.dueNs - b.dueNs))
}

/** @param {string} folder @param {string} file @returns {Promise<Sample[]>} */
async function samplesOf(folder, file) {
  const [, ...lines] = (await readFile(join(folder, file), 'utf8')).trimEnd().split('\n')
  return lines.map(line => {
    const [due, sent, replied, type, outcome] = line.split(',')
    return { dueNs: BigInt(due), sentNs: BigInt(sent), repliedNs: BigInt(replied), type, outcome, file }
  })
}

/** responseMs of a sample. @param {Sample} sample */
export const responseMs = ({ dueNs, repliedNs }) => Number(repliedNs - dueNs) / 1e6

/**
 * quantile is the smallest value that a share of all values does not exceed.
 *
 * @param {number[]} values
 * @param {number} share
 */
export function quantile(values, share) {
  const ascending = [...values].sort((a, b) => a - b)
  return ascending[Math.max(0, Math.ceil(share * ascending.length - 1e-9) - 1)]
}

/** offsetsNs from the first due time. @param {Sample[]} samples */
export const offsetsNs = samples => samples.map(({ dueNs }) => Number(dueNs - samples[0].dueNs))
