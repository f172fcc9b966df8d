import { counted, grouped, MISSING, significant, spell } from '../../../kit/numbers.js'
import { rateWords } from '../../../kit/rate-words.js'
import { BURST_FACTOR, HEADROOM, LEAST_SECONDS, SOURCE_ESTIMATE } from '../plan/network-load.js'
import { asEvidence } from '../run-search.js'
import { foundSentences } from './saturation-sentences.js'

/** @typedef {import('../result/saturation-document.js').CapacityDocument} CapacityDocument */

const percent = (/** @type {number} */ share) => `${significant(share * 100)} %`

/** Whether any rate has figures. @param {Pick<CapacityDocument, 'loads' | 'search'>} document */
const isMeasured = ({ loads, search }) => [...loads, ...search.trials].some(({ point }) => point !== null)

/**
 * shownSoFar is what trials showed of the rates of a search that did not end.
 *
 * @param {Pick<CapacityDocument, 'loads' | 'search'>} document
 * @returns {{ most: number | null, least: number | null }} `most` that was sustained, and the `least` above it that was not
 */
function shownSoFar({ loads, search: { trials } }) {
  const all = [...asEvidence(loads), ...trials]
  const rates = (/** @type {boolean} */ wanted) =>
    all.flatMap(({ perSecond, sustained }) => (sustained === wanted ? [perSecond] : []))
  const most = Math.max(0, ...rates(true))
  const above = rates(false).filter(rate => rate > most)
  return { most: most || null, least: above.length === 0 ? null : Math.min(...above) }
}

/** Why there is no number of servers. @param {CapacityDocument} document */
function withoutNumber(document) {
  const none = 'no rate was found that one server sustains'
  if (!isMeasured(document)) return 'nothing was measured'
  if (document.search.found !== null) return none
  const { most, least } = shownSoFar(document)
  if (most === null) return none
  const ended = `the search ${document.reason?.code === 'INTERRUPTED' ? 'was interrupted' : 'ended'}`
  const sustained = `one server sustained at least ${rateWords(most)}/s`
  return least === null
    ? `${sustained}; ${ended} before it found a rate that it does not sustain`
    : `${sustained}, and did not sustain ${rateWords(least)}/s; ${ended} before its end`
}

/**
 * capacityAnswer is how many servers the described network needs, in a sentence.
 *
 * @param {CapacityDocument} document
 */
export function capacityAnswer(document) {
  const { network, load, search, servers } = document
  const { found } = search
  const peak = `${significant(load.peakPerSecond)}/s`
  const who = `${grouped(network.peers)} peers with ${rateWords(network.requestsPerDay)} requests a day`
  const below = found?.below ?? null
  if (servers === null || below === null)
    return `No number of servers can be given for ${who}: ${withoutNumber(document)}.`
  const rate = `${rateWords(below.perSecond)}/s`
  const formula = `ceil(${peak} in the peak hour ÷ (${HEADROOM} × ${rate}))`
  return found?.generatorBound || found?.above === null
    ? `At most ${counted(servers, 'server')} for ${who}: ${formula}, and one server sustains at least ${rate}.`
    : `${counted(servers, 'server')} for ${who}: ${formula}, and one server sustains ${rate}.`
}

/** @param {CapacityDocument} document */
const scaleWarning = ({ scale, load }) =>
  scale === 1
    ? []
    : [
        `The server was given only ${percent(scale)} of the ${grouped(load.heldRegistrations)} registrations that the network holds (--scale): memory, and times that grow with what is held, are NOT those of this network.`
      ]

/** @param {CapacityDocument} document */
function shortWarning({ seconds, searchSeconds, loads, search }) {
  if (seconds >= LEAST_SECONDS || loads.every(({ point }) => point === null)) return []
  const searched = search.trials.some(({ point }) => point !== null)
    ? ` Each measured trial of the search was held for ${spell(searchSeconds * 1000)}.`
    : ''
  return [
    `Each measured rate of the network was held for ${spell(seconds * 1000)} only: trial figures. Use a --duration of ${LEAST_SECONDS}s or more.${searched}`
  ]
}

/**
 * capacitySentences say what a capacity came to.
 *
 * @param {CapacityDocument} document
 * @returns {string[]} the first is the answer
 */
export const capacitySentences = document => [
  capacityAnswer(document),
  ...scaleWarning(document),
  ...shortWarning(document),
  ...foundSentences(document.search.found)
]

/**
 * assumptions are what the answer rests on, with its formulas.
 *
 * @param {CapacityDocument} document
 * @returns {string[]}
 */
export function assumptions(document) {
  const { network, load, search } = document
  const { peers, requestsPerDay, peakFactor, topics, ttlSeconds, registerShare } = network
  return [
    `Mean rate = peers × requests per day ÷ 86,400 s = ${grouped(peers)} × ${rateWords(requestsPerDay)} ÷ 86,400 = ${significant(load.meanPerSecond)}/s. Requests of different peers are spread over the hour.`,
    `Peak hour = ${rateWords(peakFactor)} × mean = ${significant(load.peakPerSecond)}/s (--peakFactor, or --peakHourShare × 24). The third rate is ${BURST_FACTOR} times that: ${significant(load.burstPerSecond)}/s.`,
    `Registrations held = min(peers × topics, peak rate × share of register and refresh × TTL) = min(${grouped(peers)} × ${grouped(topics)}, ${significant(load.peakPerSecond)} × ${significant(registerShare)} × ${grouped(ttlSeconds)} s) = ${grouped(load.heldRegistrations)}: what the peak hour leaves behind (Little's law).${heldByOne(document)}`,
    `Every request connects, is answered and disconnects, unless --no-connectionPerOperation was given; response times count from when a request was due, with connecting in them. A REGISTER refreshes a registration that is there: a network in balance holds as many all the while, and a new one costs the server the same check of its signed record.`,
    `Servers = ceil(peak rate ÷ (${HEADROOM} × sustainable rate of one server)): each is to be used at ${HEADROOM * 100} % of what it sustains at most. It assumes that requests are shared out evenly, and says nothing of a server that is down: add one for that.`,
    ...(search.trials.length === 0
      ? []
      : [
          'The rates in the table are evidence for the search: it began at the highest of them that was sustained, and tried none of them again, but to confirm it.'
        ]),
    ...offered(document)
  ]
}

/** @param {CapacityDocument} document */
const heldByOne = ({ scale, ...document }) =>
  isMeasured(document)
    ? ` The one server that was measured held ${scale === 1 ? 'all of them' : `${percent(scale)} of them`}; servers that share them hold fewer.`
    : ''

/** @param {CapacityDocument} document @returns {string[]} */
function offered(document) {
  if (!isMeasured(document)) return []
  const all = document.loads.every(({ point }) => point !== null)
  const measured = `each rate ${all ? '' : 'with figures '}in the table was offered and measured`
  return document.search.found?.below == null
    ? [`Nothing is extrapolated: ${measured}.`]
    : [
        `Nothing is extrapolated: ${measured}, and so was the sustainable one. Only the division by it is arithmetic.`
      ]
}

/** capacityServers is how many the network needs. @param {{ servers: number | null, search: Pick<CapacityDocument['search'], 'found'> }} document */
export const capacityServers = ({ servers, search: { found } }) =>
  servers === null ? MISSING : `${found?.generatorBound ? '≤ ' : ''}${grouped(servers)}`

/** @param {Pick<CapacityDocument, 'loads' | 'search'>} document */
function sustainedByOne({ loads, search }) {
  const { found } = search
  const most = found === null ? shownSoFar({ loads, search }).most : (found.below?.perSecond ?? null)
  const isBound = found === null || found.generatorBound
  return most === null ? MISSING : `${isBound ? '≥ ' : ''}${rateWords(most)}`
}

/** estimateTable holds the answer against what the source says of its network. @param {CapacityDocument} document @returns {import('../../../kit/table.js').Table} */
export const estimateTable = ({ network, load, loads, search, servers }) => ({
  headings: ['', 'Peers', 'Requests a day', 'Mean /s', 'Planned for /s', 'One server sustains /s', 'Servers'],
  rows: [
    [
      'measured here',
      grouped(network.peers),
      rateWords(network.requestsPerDay),
      significant(load.meanPerSecond),
      `${significant(load.peakPerSecond)} (peak hour)`,
      sustainedByOne({ loads, search }),
      capacityServers({ servers, search })
    ],
    [
      "the source's estimate",
      grouped(SOURCE_ESTIMATE.peers),
      String(SOURCE_ESTIMATE.requestsPerDay),
      String(SOURCE_ESTIMATE.meanPerSecond),
      '92, about 30 a server (50 at times)',
      'not measured',
      String(SOURCE_ESTIMATE.servers)
    ]
  ]
})
