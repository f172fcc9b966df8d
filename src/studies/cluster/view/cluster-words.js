import { counted, grouped, significant } from '../../../kit/numbers.js'
import { rateWords } from '../../../kit/rate-words.js'

/** @typedef {import('../result/cluster-document.js').ClusterDocument} ClusterDocument */

/** peersInWords says whose requests they are. @param {Pick<ClusterDocument, 'network'>} document */
export const peersInWords = ({ network: { peers, requestsPerDay } }) =>
  `${grouped(peers)} peers with ${rateWords(requestsPerDay)} requests a day each`

/** @param {string} store */
const storeInWords = store => (store.startsWith('postgres') ? 'PostgreSQL' : store)

/** clusterInWords says what was run. @param {Pick<ClusterDocument, 'servers' | 'store'>} document */
export const clusterInWords = ({ servers, store }) =>
  servers === 1
    ? `1 server with ${storeInWords(store)}`
    : `${counted(servers, 'server')} that share one ${storeInWords(store)}`

/** eachInWords is a rate of all servers, with the part of each. @param {number} perSecond @param {number} servers */
export const eachInWords = (perSecond, servers) =>
  servers === 1
    ? `${rateWords(perSecond)}/s`
    : `${rateWords(perSecond)}/s, ${significant(perSecond / servers)}/s a server`
