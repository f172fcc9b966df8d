import { counted, grouped, MISSING, significant, spell } from '../../../kit/numbers.js'
import { rateWords } from '../../../kit/rate-words.js'
import { BURST_FACTOR, HEADROOM, LEAST_SECONDS, SOURCE_ESTIMATE } from '../plan/network-load.js'
import { foundSentences } from './saturation-sentences.js'

/** @typedef {import('../result/saturation-document.js').CapacityDocument} CapacityDocument */

const percent = (/** @type {number} */ share) => `${significant(share * 100)} %`

/**
 * capacityAnswer is how many servers the described network needs, in a sentence.
 *
 * @param {CapacityDocument} document
 */
export function capacityAnswer({ network, load, search: { found }, servers }) {
  const peak = `${significant(load.peakPerSecond)}/s`
  const who = `${grouped(network.peers)} peers with ${rateWords(network.requestsPerDay)} requests a day`
  const below = found?.below ?? null
  if (servers === null || below === null)
    return `No number of servers can be given for ${who}: no rate was found that one server sustains.`
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
const shortWarning = ({ seconds }) =>
  seconds >= LEAST_SECONDS
    ? []
    : [
        `Each rate was held for ${spell(seconds * 1000)} only: trial figures. Use a --duration of ${LEAST_SECONDS}s or more.`
      ]

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
export function assumptions({ network, load, scale }) {
  const { peers, requestsPerDay, peakFactor, topics, ttlSeconds, registerShare } = network
  return [
    `Mean rate = peers × requests per day ÷ 86,400 s = ${grouped(peers)} × ${rateWords(requestsPerDay)} ÷ 86,400 = ${significant(load.meanPerSecond)}/s. Requests of different peers are spread over the hour.`,
    `Peak hour = ${rateWords(peakFactor)} × mean = ${significant(load.peakPerSecond)}/s (--peakFactor, or --peakHourShare × 24). The third rate is ${BURST_FACTOR} times that: ${significant(load.burstPerSecond)}/s.`,
    `Registrations held = min(peers × topics, peak rate × share of register and refresh × TTL) = min(${grouped(peers)} × ${grouped(topics)}, ${significant(load.peakPerSecond)} × ${significant(registerShare)} × ${grouped(ttlSeconds)} s) = ${grouped(load.heldRegistrations)}: what the peak hour leaves behind (Little's law). The one server that was measured held ${scale === 1 ? 'all of them' : `${percent(scale)} of them`}; servers that share them hold fewer.`,
    `Every request connects, is answered and disconnects, unless --no-connectionPerOperation was given; response times count from when a request was due, with connecting in them. A REGISTER refreshes a registration that is there: a network in balance holds as many all the while, and a new one costs the server the same check of its signed record.`,
    `Servers = ceil(peak rate ÷ (${HEADROOM} × sustainable rate of one server)): each is to be used at ${HEADROOM * 100} % of what it sustains at most. It assumes that requests are shared out evenly, and says nothing of a server that is down: add one for that.`,
    'The rates in the table are evidence for the search: it began at the highest of them that was sustained, and tried none of them again, but to confirm it.',
    'Nothing is extrapolated: each rate in the table was offered and measured, and so was the sustainable one. Only the division by it is arithmetic.'
  ]
}

/** capacityServers is how many the network needs. @param {{ servers: number | null, search: Pick<CapacityDocument['search'], 'found'> }} document */
export const capacityServers = ({ servers, search: { found } }) =>
  servers === null ? MISSING : `${found?.generatorBound ? '≤ ' : ''}${grouped(servers)}`

/** estimateTable holds the answer against what the source says of its network. @param {CapacityDocument} document @returns {import('../../../kit/table.js').Table} */
export const estimateTable = ({ network, load, search: { found }, servers }) => ({
  headings: ['', 'Peers', 'Requests a day', 'Mean /s', 'Planned for /s', 'One server sustains /s', 'Servers'],
  rows: [
    [
      'measured here',
      grouped(network.peers),
      rateWords(network.requestsPerDay),
      significant(load.meanPerSecond),
      `${significant(load.peakPerSecond)} (peak hour)`,
      found?.below == null ? '–' : `${found.generatorBound ? '≥ ' : ''}${rateWords(found.below.perSecond)}`,
      capacityServers({ servers, search: { found } })
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
