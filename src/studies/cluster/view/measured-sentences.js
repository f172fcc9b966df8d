import { present } from '../../../kit/lists.js'
import { counted, grouped, percent, spell } from '../../../kit/numbers.js'
import { figure } from '../../../report/table.js'
import { backInWords, lostInWords } from '../../../scenarios/rendezvous/view/fault-words.js'
import { saturatedBy } from '../../saturation/saturated.js'
import { CAPACITY_FACE } from '../../saturation/view/faces.js'
import { limitWords, reasonWords } from '../../saturation/view/reason-words.js'
import { foundSentences } from '../../saturation/view/saturation-sentences.js'
import { clusterInWords, eachInWords } from './cluster-words.js'
import { stageNames } from './stage-names.js'

/**
 * @typedef {import('../result/cluster-document.js').ClusterDocument} ClusterDocument
 * @typedef {import('../result/stage.js').Stage} Stage
 * @typedef {import('../../../scenarios/rendezvous/saturation/load-point.js').LoadPoint} LoadPoint
 */

/**
 * limitOfStage is what was used up at a rate that was not carried.
 *
 * @param {Stage} stage
 * @returns {import('../../../scenarios/saturation.js').SaturatedFirst | null} null: it was carried, or nothing was measured
 */
export const limitOfStage = ({ carried, point, plan }) =>
  carried === false && point !== null ? saturatedBy(plan).saturatedFirst(point) : null

/** @param {LoadPoint} point */
function busyInWords({ members, utilization }) {
  const busy = present([
    members !== undefined && `the busiest server used ${percent(members.busiestCpuPercent)} % of a core`,
    members?.databaseCpuPercent != null && `the database ${percent(members.databaseCpuPercent)} %`,
    utilization !== null && `the load generator was ${percent(100 * utilization)} % busy`
  ])
  return busy.length === 0 ? '' : `; ${busy.join(', ')}`
}

/** @param {Stage} stage */
function verdictInWords(stage) {
  if (stage.carried === null) return 'No server was killed in that time.'
  if (stage.carried) return 'Carried.'
  const limit = limitOfStage(stage)
  const why = present([
    stage.reasons.length > 0 && reasonWords(stage),
    (stage.seen?.lookUp?.missing ?? 0) > 0 && 'registrations that were acknowledged are missing'
  ])
  return `Not carried: ${why.join('; ')}.${limit === null ? '' : ` What was used up: ${limitWords(limit)}.`}`
}

/** @param {ClusterDocument} document @returns {(stage: Stage) => string[]} */
const heldSentence =
  ({ servers, registrations, seconds }) =>
  stage => {
    const { name, perSecond, point, seen } = stage
    if (point === null) return []
    const { due, achieved, failed, rt } = point
    const held = grouped(seen?.held ?? registrations)
    return [
      `Measured, ${stageNames[name]} (${eachInWords(perSecond, servers)}, ${spell(1000 * seconds)}, ${held} registrations): ${grouped(achieved)} of ${grouped(due)} requests succeeded in time, ${grouped(failed)} failed, p50 ${figure(rt.p50)} ms, p99 ${figure(rt.p99)} ms${busyInWords(point)}. ${verdictInWords(stage)}`
    ]
  }

/** @param {ClusterDocument} document @returns {(stage: Stage) => string[]} */
const killedSentence =
  ({ servers }) =>
  ({ seen, carried, perSecond }) => {
    const fault = seen?.fault
    if (fault == null) return []
    const left = carried
      ? ` So ${counted(servers - 1, 'server')} carried ${eachInWords(perSecond, servers - 1)}.`
      : ''
    const gone =
      seen?.failovers == null ? '' : `, clients went to another server ${counted(seen.failovers, 'time')}`
    return [
      `Measured: server ${fault.server} was killed after ${spell(fault.fromMs)}: throughput back ${backInWords(fault, fault.recoveredThroughputMs)}, p99 ${backInWords(fault, fault.recoveredP99Ms)}, operations lost ${lostInWords(fault)}${gone}.${left}`
    ]
  }

/** @param {ClusterDocument} document */
function keptSentences({ stages }) {
  const lookUps = stages.flatMap(({ seen }) => seen?.lookUp ?? [])
  const lookedUp = lookUps.reduce((sum, each) => sum + each.lookedUp, 0)
  const missing = lookUps.reduce((sum, each) => sum + each.missing, 0)
  const stalest = stages.flatMap(({ seen }) => seen?.stalestMs ?? [])
  return present([
    lookedUp > 0 &&
      `Measured: acknowledged registrations were looked up after each rate, ${counted(lookedUp, 'look-up')} in all: ${missing === 0 ? 'none was' : `${grouped(missing)} were`} missing.`,
    stalest.length > 0 &&
      `Measured: what one server had acknowledged was seen at another within ${spell(Math.max(...stalest))}, a DISCOVER and its pace with it.`
  ])
}

/** @param {ClusterDocument} document */
function searchSentences(document) {
  const { search } = document
  if (search === null) return []
  const said = foundSentences(search.found, CAPACITY_FACE)
  return [`Measured, ${clusterInWords(document)}: ${said[0]}`, ...said.slice(1)]
}

/**
 * measuredSentences say what was run and what came of it.
 *
 * @param {ClusterDocument} document
 * @returns {string[]}
 */
export const measuredSentences = document => [
  ...document.stages.flatMap(heldSentence(document)),
  ...document.stages.flatMap(killedSentence(document)),
  ...keptSentences(document),
  ...searchSentences(document)
]
