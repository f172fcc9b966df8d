import { largestOf, sumOf } from '../../../kit/lists.js'
import { percent, significant } from '../../../kit/numbers.js'

/**
 * @typedef {import('../../../result/types.js').Result} Result
 * @typedef {NonNullable<Result['outcome']['members']>[number]} Member
 * @typedef {{ who: string, share: number, words: string }} Use - `share` of what there is, 0 to 1
 */

/** Who is used to this share has no more to give. */
const SATURATED = 0.9

/**
 * saturatedInWords says who of generator, servers, pools, database and machine was saturated, with how busy each was.
 *
 * @param {Result} result
 * @returns {string[]} none where no store is elsewhere
 */
export function saturatedInWords({ outcome: { members = [] }, run }) {
  const servers = members.filter(({ name }) => name !== 'database')
  const database = members.find(({ name }) => name === 'database')
  if (servers.length === 0) return []
  const cores = run.machine.cores
  const all = [
    generator(run),
    server(servers),
    ...pool(servers),
    ...databaseUse(database, cores),
    machine(members, run)
  ]
  const full = all.filter(({ share }) => share >= SATURATED)
  const found =
    full.length === 0 ? 'Nothing was saturated' : `Saturated: ${full.map(({ who }) => who).join(', ')}`
  return [
    `${found}. ${all.map(({ words }) => words).join(', ')}; from ${100 * SATURATED} % on it counts as saturated.`
  ]
}

/** @param {Result['run']} run @returns {Use} */
function generator({ health }) {
  const share = largestOf(health, ({ utilization }) => utilization)
  return { who: 'load generator', share, words: `The load generator was ${percent(100 * share)} % busy` }
}

/** @param {Member[]} servers @returns {Use} */
function server(servers) {
  const [busiest] = servers.toSorted((a, b) => cpuOf(b) - cpuOf(a))
  const share = cpuOf(busiest) / 100
  return { who: busiest.name, share, words: `${busiest.name} ${percent(100 * share)} % of a core` }
}

/** @param {Member[]} servers @returns {Use[]} */
function pool(servers) {
  const [fullest] = servers
    .filter(({ pool }) => pool !== undefined)
    .toSorted((a, b) => (b.pool?.usedPercent ?? 0) - (a.pool?.usedPercent ?? 0))
  if (fullest?.pool == null) return []
  const { usedPercent, waitedMs, connections } = fullest.pool
  const waited = waitedMs === null ? '' : ` (a statement waited ${significant(waitedMs)} ms for one)`
  return [
    {
      who: `pool of ${fullest.name}`,
      share: usedPercent / 100,
      words: `${fullest.name} had ${significant(usedPercent)} % of its ${connections} connections in use${waited}`
    }
  ]
}

/** @param {Member | undefined} database @param {number} cores @returns {Use[]} */
function databaseUse(database, cores) {
  if (database === undefined) return []
  const share = cpuOf(database) / 100 / cores
  return [{ who: 'database', share, words: `the database ${percent(100 * share)} % of ${cores} cores` }]
}

/** @param {Member[]} members @param {Result['run']} run @returns {Use} */
function machine(members, { health, machine: { cores } }) {
  const used = sumOf(members, cpuOf) + sumOf(health, ({ cpuPercent }) => cpuPercent)
  const share = used / 100 / cores
  return { who: 'machine', share, words: `all of these together ${percent(100 * share)} % of the machine` }
}

/** @param {Member} member */
const cpuOf = ({ cpu }) => cpu.averagePercent ?? 0
