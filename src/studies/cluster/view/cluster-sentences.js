import { present } from '../../../kit/lists.js'
import { counted, grouped, significant, spell } from '../../../kit/numbers.js'
import { rateWords } from '../../../kit/rate-words.js'
import { HEADROOM, LEAST_SECONDS } from '../../saturation/plan/network-load.js'
import { isGenerators } from '../../saturation/search/limits.js'
import { clusterInWords, peersInWords } from './cluster-words.js'
import { limitOfStage, measuredSentences } from './measured-sentences.js'
import { stageNames } from './stage-names.js'

/**
 * @typedef {import('../result/cluster-document.js').ClusterDocument} ClusterDocument
 * @typedef {import('../result/stage.js').Stage} Stage
 */

/** @param {readonly Stage[]} stages */
const names = stages => stages.map(({ name }) => stageNames[name]).join(', ')

/** @param {ClusterDocument} document */
function heldAnswer({ stages, ...document }) {
  const [cluster, who] = [clusterInWords(document), peersInWords(document)]
  const open = stages.filter(({ carried }) => carried === null)
  if (open.length > 0) return `There is no answer for ${who}: ${names(open)}: not measured.`
  const failed = stages.filter(({ carried }) => carried === false)
  const carry = document.servers === 1 ? 'carries' : 'carry'
  if (failed.length === 0) return `${cluster} ${carry} ${who}: ${names(stages)}.`
  const limits = failed.map(limitOfStage)
  return limits.every(limit => limit !== null && isGenerators(limit.limit))
    ? `It is not shown that ${cluster} ${carry} ${who}: ${names(failed)}: what was used up there is shared with the load generator, or its own.`
    : `${cluster} did not carry ${who} here: ${names(failed)}.`
}

/** @param {ClusterDocument} document */
function searchAnswer({ load, search, clusters, ...document }) {
  const [cluster, who] = [clusterInWords(document), peersInWords(document)]
  const found = search?.found ?? null
  if (found?.below == null || clusters === null)
    return `No number can be given for ${who}: no rate was found that ${cluster} sustain.`
  const isBound = found.generatorBound || found.above === null
  const rate = `${rateWords(found.below.perSecond)}/s`
  return `${isBound ? 'At most ' : ''}${grouped(clusters)} × ${cluster} for ${who}: ceil(${significant(load.peakPerSecond)}/s ÷ (${HEADROOM} × ${rate})), where one such cluster sustains ${isBound ? 'at least ' : ''}${rate}.`
}

/**
 * clusterAnswer says whether the servers carry the network, or how many like them it takes.
 *
 * @param {ClusterDocument} document
 */
export const clusterAnswer = document =>
  document.search === null ? heldAnswer(document) : searchAnswer(document)

/** @param {ClusterDocument} document */
const shortWarning = ({ seconds, stages }) =>
  stages.length > 0 &&
  seconds < LEAST_SECONDS &&
  `Each rate was held for ${spell(seconds * 1000)} only: trial figures. Use a --duration of ${LEAST_SECONDS}s or more.`

/** @param {ClusterDocument} document */
function divided({ network, load, search, clusters }) {
  const below = search?.found?.below
  if (below == null || clusters === null) return []
  const times = load.peakPerSecond / below.perSecond
  const peers = Math.floor((HEADROOM * below.perSecond * network.peers) / load.peakPerSecond)
  return [
    `Extrapolated: all peers send ${significant(load.peakPerSecond)}/s, ${significant(times)} times what was measured. By division such a cluster, used at ${HEADROOM * 100} %, stands for ${counted(peers, 'peer')}.`,
    ...(clusters > 1
      ? [
          `Extrapolated: ${counted(clusters, 'cluster')}, which share nothing: each has a store, and peers, of its own. One store for all of them was not measured.`
        ]
      : [])
  ]
}

/**
 * extrapolatedSentences say what of the answer was not run.
 *
 * @param {ClusterDocument} document
 * @returns {string[]} none where nothing was measured
 */
export function extrapolatedSentences(document) {
  const { network, registrations, connections, stages, search } = document
  const points = [...stages, ...(search?.trials ?? [])].flatMap(({ point }) => point ?? [])
  if (points.length === 0) return []
  const cores = points[0].cores
  return present([
    ...divided(document),
    registrations < network.peers
      ? `Extrapolated: ${grouped(registrations)} registrations were held, and the network has ${grouped(network.peers)}, one of each peer. That memory and times stay as they are was not measured.`
      : stages.length > 0 && 'Nothing is divided: rates and registrations are those of all peers.',
    `Extrapolated: ${counted(connections, 'client')} stood for ${grouped(network.peers)} peers. Each refreshes a registration of its own, so that few rows of the store change, often; those of all peers only lie there, and are discovered.`,
    `Extrapolated: servers, store and load generator shared a machine with ${counted(cores, 'core')}. On machines of their own each has more to give, and there is a network between servers and store.`
  ])
}

/**
 * clusterSentences say what a run of the servers came to.
 *
 * @param {ClusterDocument} document
 * @returns {string[]} the first is the answer
 */
export const clusterSentences = document => [
  clusterAnswer(document),
  ...present([shortWarning(document)]),
  ...measuredSentences(document),
  ...extrapolatedSentences(document)
]
